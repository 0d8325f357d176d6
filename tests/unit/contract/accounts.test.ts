import { expect, test } from 'vitest';
import {
  meChangeSchema,
  passwordAgainSchema,
  passwordChangeSchema,
  registrationSchema,
  signInSchema,
} from '#contract/accounts.ts';
import { emailChangeSchema, emailConfirmationSchema, localEmailQuerySchema } from '#contract/channels.ts';
import { accountPhoneSchema, emailSchema, newPasswordSchema } from '#contract/fields.ts';
import {
  numberChangeSchema,
  numberConfirmationSchema,
  numberProofInputSchema,
  resetPasswordSchema,
  resetRequestSchema,
  verifyCodeSchema,
} from '#contract/recovery.ts';
import { expectLongest, problemsOf } from './expect-problems.ts';

const NUMBER = { whatsapp_number: '0712345678' };
const PERSON = { username: 'asha', email: 'asha@example.com', ...NUMBER, password: 'tumaini la kesho' };

const NOTHING = [undefined, 5] as const;
const MISSING = ['username: username_required', 'email: email_required', 'whatsapp_number: phone_required'];

test.each(NOTHING)('a registration in which every field has the value %s reports each field as required', (value) => {
  const nothing = { username: value, email: value, whatsapp_number: value, password: value };
  expect(problemsOf(registrationSchema, nothing)).toEqual([...MISSING, 'password: password_required']);
});

test('a registration with blank fields gets one error for each field, which says that the field is required', () => {
  const blank = { username: ' ', email: ' ', whatsapp_number: ' -', password: '' };
  expect(problemsOf(registrationSchema, blank)).toEqual([...MISSING, 'password: password_required']);
});

test('number_proof and verification_code are optional in a registration, and are trimmed', () => {
  const evidence = (input: object) => {
    const { number_proof, verification_code } = registrationSchema.parse({ ...PERSON, ...input });
    return [number_proof, verification_code];
  };
  expect(evidence({ number_proof: ' abc ', verification_code: ' 123456\n' })).toEqual(['abc', '123456']);
  expect(evidence({ number_proof: ' ', verification_code: 123456 })).toEqual([null, null]);
  expect(evidence({ number_proof: null })).toEqual([null, null]);
});

test('names, e-mail addresses and passwords have a maximum length', () => {
  expectLongest(registrationSchema, 60, {
    around: (username) => ({ ...PERSON, username }),
    problem: 'username: text_too_long',
  });
  expectLongest(emailSchema, 242, { around: (text) => `${text}@example.com`, problem: ': text_too_long' });
  expectLongest(newPasswordSchema, 128, { problem: ': password_too_long' });
});

test('a password has at least eight characters', () => {
  expect(problemsOf(newPasswordSchema, 'tumaini8')).toEqual([]);
  expect(problemsOf(newPasswordSchema, 'tumain8')).toEqual([': password_too_short']);
});

test('an e-mail address is trimmed, and must contain an @ and a dot', () => {
  expect(emailSchema.parse(' asha@example.com ')).toBe('asha@example.com');
  expect(problemsOf(emailSchema, 'asha@example')).toEqual([': email_invalid']);
});

test('a phone number may be typed with separators, and has at most 40 characters', () => {
  expect(accountPhoneSchema.parse('0712345678'.padEnd(40, ' '))).toBe('+255712345678');
  expect(problemsOf(accountPhoneSchema, '0712345678'.padEnd(41, ' '))).toEqual([': phone_invalid']);
});

test('the sign-in form reports its missing fields, and trims the e-mail address', () => {
  const needed = ['username: email_required', 'password: password_required'];
  for (const value of NOTHING) expect(problemsOf(signInSchema, { username: value, password: value })).toEqual(needed);
  expect(problemsOf(signInSchema, { username: ' ', password: '' })).toEqual(needed);
  expect(signInSchema.parse({ username: ' a@b.c ', password: 'x' })).toEqual({ username: 'a@b.c', password: 'x' });
});

test.each([
  ['a new password', passwordChangeSchema, { new_password: PERSON.password }],
  ['another e-mail address', emailChangeSchema, { email: PERSON.email }],
  ['another phone number', numberChangeSchema, NUMBER],
  ['a data export or the deletion of the account', passwordAgainSchema, {}],
])('a request for %s needs the current password, of any length', (_change, schema, rest) => {
  expect(problemsOf(schema, { ...rest, current_password: 'x' })).toEqual([]);
  for (const current_password of [...NOTHING, ''])
    expect(problemsOf(schema, { ...rest, current_password })).toEqual(['current_password: password_required']);
});

test('a person may change their name without their language, and the language without the name', () => {
  expect(problemsOf(meChangeSchema, { language: 'sw' })).toEqual([]);
  expect(problemsOf(meChangeSchema, { username: 'Asha' })).toEqual([]);
  expect(problemsOf(meChangeSchema, { username: '', language: 'fr' })).toEqual([
    'username: username_required',
    'language: language_invalid',
  ]);
});

test('a request to confirm an e-mail address must contain the token of the e-mailed link, and spaces around the token are removed', () => {
  expect(emailConfirmationSchema.parse({ token: ' x ' })).toEqual({ token: 'x' });
  for (const token of [...NOTHING, ' '])
    expect(problemsOf(emailConfirmationSchema, { token })).toEqual(['token: code_required']);
});

test('a phone number is confirmed by a verification_code, or by a number_proof together with the current password', () => {
  const confirm = (input: object) => problemsOf(numberConfirmationSchema, input);
  expect(confirm({ verification_code: '123456' })).toEqual([]);
  expect(confirm({ number_proof: 'abc', current_password: 'x' })).toEqual([]);
  expect(confirm({ number_proof: 'abc' })).toEqual(['current_password: password_required']);
  expect(confirm({ current_password: 'x' })).toEqual(['verification_code: code_required']);
});

test.each([verifyCodeSchema, resetPasswordSchema])(
  'a verification code has 4 to 20 characters, and spaces around it are removed',
  (schema) => {
    const check = (verification_code: unknown) =>
      problemsOf(schema, { ...NUMBER, verification_code, new_password: PERSON.password });
    for (const code of [' 1234 ', '1'.repeat(20)]) expect(check(code)).toEqual([]);
    for (const code of ['123', '1'.repeat(21)]) expect(check(code)).toEqual(['verification_code: code_invalid']);
    for (const code of [...NOTHING, ' ']) expect(check(code)).toEqual(['verification_code: code_required']);
    expect(schema.parse({ ...NUMBER, verification_code: ' 1234 ', new_password: PERSON.password })).toMatchObject({
      verification_code: '1234',
      whatsapp_number: '+255712345678',
    });
  },
);

test('a request for a reset code, and one to prove or change a phone number, must contain the phone number', () => {
  for (const schema of [resetRequestSchema, numberProofInputSchema, numberChangeSchema])
    expect(problemsOf(schema, { current_password: 'x' })).toEqual(['whatsapp_number: phone_required']);
});

test('the list of e-mails in local development can be filtered by recipient, but only by a complete e-mail address', () => {
  expect(problemsOf(localEmailQuerySchema, {})).toEqual([]);
  expect(problemsOf(localEmailQuerySchema, { to: 'asha' })).toEqual(['to: email_invalid']);
});
