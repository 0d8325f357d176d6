import { expect, test } from 'vitest';
import { normaliseAccountPhone, stripPhoneSeparators } from '#contract/normalise-phone.ts';
import { accountPhoneSchema, contactPhoneSchema } from '#contract/phone.ts';

test.each([
  ['0712345678', '+255712345678'],
  ['+255712345678', '+255712345678'],
  ['255712345678', '+255712345678'],
  ['0712 345-678', '+255712345678'],
  ['(0712) 345.678', '+255712345678'],
  ['\u202a0712345678\u202c', '+255712345678'],
])('%s is normalised to %s', (typed, number) => expect(normaliseAccountPhone(typed)).toBe(number));

test.each([
  ['+1234567', true],
  ['+123456', false],
  ['+123456789012345', true],
  ['+1234567890123456', false],
  ['0', false],
  ['', false],
  [' ', false],
  ['+', false],
  ['٠٧١٢٣٤٥٦٧٨', false],
])('an account may have the number %j: %s', (typed, isValid) =>
  expect(accountPhoneSchema.safeParse(typed).success).toBe(isValid),
);

test.each([
  ['11', true],
  ['1', false],
  ['+11', true],
  ['123456789012345', true],
  ['1234567890123456', false],
  ['+', false],
  ['0712 345 678', false],
  ['0712345678\n', false],
])('a post may show the number %j: %s', (typed, isValid) =>
  expect(contactPhoneSchema.safeParse(typed).success).toBe(isValid),
);

test('what is pasted with separators is a number once they are gone', () => {
  expect(stripPhoneSeparators(' +255 (712) 345-678 ')).toBe('+255712345678');
  expect(stripPhoneSeparators('07a12')).toBe('07a12');
});
