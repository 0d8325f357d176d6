import { env } from 'cloudflare:workers';
import { afterEach, expect, test, vi } from 'vitest';
import type { RegisteredUser } from '#contract/accounts.ts';
import type { LocalWhatsappMessage } from '#contract/channels.ts';
import { call, newPerson, type Person } from '#tests/worker/support/api.ts';
import { deliver, issueCode, standInForMeta } from '#tests/worker/support/messages.ts';
import {
  askForCode,
  codeOf,
  holderOf,
  lastCode,
  newNumber,
  newRegistration,
  proveByMessage,
  register,
  wrong,
} from '#tests/worker/support/people.ts';
import { captureLogs } from '#tests/worker/support/test-run.ts';
import { readConfig } from '#worker/env.ts';
import { signSessionToken } from '#worker/identity/session-token.ts';

afterEach(() => vi.unstubAllGlobals());

function askToChange(person: Person, whatsapp_number: string, current_password = person.password) {
  return call('POST', '/api/me/whatsapp-number', { whatsapp_number, current_password }, person);
}

function confirm(person: Person, body: object) {
  return call('POST', '/api/me/whatsapp-number/confirm', body, person);
}

async function proveByCode(number: string): Promise<string> {
  const answer = await register({ ...newRegistration(number), verification_code: await askForCode(number) });
  expect(answer.status).toBe(201);
  return (await answer.json<RegisteredUser>()).id;
}

async function ageProof(number: string, days: number): Promise<void> {
  await env.DB.prepare('update phone_numbers set proven_at = proven_at - ? where number = ?')
    .bind(days * 24 * 60 * 60 * 1000, number)
    .run();
}

test('a verification code can be sent to a phone number without an account, in the request’s language', async () => {
  const number = newNumber();
  await call('POST', '/api/auth/prove-number', { whatsapp_number: number }, { language: 'sw' });
  const list = () => call('GET', `/api/dev/whatsapp-messages?to=${encodeURIComponent(number)}`);
  await expect.poll(async () => (await (await list()).json<unknown[]>()).length).toBe(1);
  const [message] = await (await list()).json<LocalWhatsappMessage[]>();
  expect(message).toMatchObject({ to: number, kind: 'prove_number', language: 'sw' });
  expect(message?.code).toBe(await lastCode('prove_number', number));
});

test('a verification code lets a person register a phone number that another account has added without proof', async () => {
  const squatter = await newPerson({ whatsapp_number: newNumber() });
  const id = await proveByCode(squatter.phone);
  expect(await holderOf(squatter.phone)).toEqual({ id, is_proven: 1 });
  const me = await call('GET', '/api/me', undefined, squatter);
  expect(await me.json()).toMatchObject({ whatsapp_number: null });
});

test('a wrong verification code creates no account, and after five wrong codes the guesser has no attempts left', async () => {
  const number = newNumber();
  const code = await askForCode(number);
  const tryIt = async (verification_code: string) =>
    codeOf(await register({ ...newRegistration(number), verification_code }));
  for (let tries = 0; tries < 5; tries++) expect(await tryIt(wrong(code))).toBe('invalid_code');
  expect(await tryIt(code)).toBe('code_expired');
  expect(await holderOf(number)).toBeNull();
  // The wrong attempts count only for the guesser, so another person can still use the verification code.
  const elsewhere = { headers: { 'CF-Connecting-IP': '196.41.77.1' } };
  const answer = await call('POST', '/api/users', { ...newRegistration(number), verification_code: code }, elsewhere);
  expect(answer.status).toBe(201);
});

test('after five wrong guesses a new verification code works at once, for a registration and for a change of phone number', async () => {
  const [person, number, other] = [await newPerson(), newNumber(), newNumber()];
  const signUp = async (verification_code: string) =>
    codeOf(await register({ ...newRegistration(number), verification_code }));
  const change = async (verification_code: string) => codeOf(await confirm(person, { verification_code }));
  for (let codes = 0; codes < 2; codes++) {
    const code = await askForCode(number);
    for (let tries = 0; tries < 5; tries++) expect(await signUp(wrong(code))).toBe('invalid_code');
    expect(await signUp(code)).toBe('code_expired');
    await askToChange(person, other);
    const own = await lastCode('change_number', other);
    for (let tries = 0; tries < 5; tries++) expect(await change(wrong(own))).toBe('invalid_code');
    expect(await change(own)).toBe('code_expired');
  }
  expect(await signUp(await askForCode(number))).toBe('ok');
  await askToChange(person, other);
  expect(await change(await lastCode('change_number', other))).toBe('ok');
});

test('after twenty wrong guesses from many IP addresses a verification code is invalid, and a new code works at once', async () => {
  const number = newNumber();
  const code = await askForCode(number);
  const tryFrom = async (address: number, verification_code: string) => {
    const headers = { 'CF-Connecting-IP': `196.41.81.${address}` };
    return codeOf(await call('POST', '/api/users', { ...newRegistration(number), verification_code }, { headers }));
  };
  for (let tries = 0; tries < 20; tries++) expect(await tryFrom(tries, wrong(code))).toBe('invalid_code');
  expect(await tryFrom(20, code)).toBe('code_expired');
  expect(await tryFrom(0, await askForCode(number))).toBe('ok');
});

test('at most twenty of many concurrent wrong guesses at a verification code are checked', async () => {
  const number = newNumber();
  const code = await askForCode(number);
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      call(
        'POST',
        '/api/users',
        { ...newRegistration(number), verification_code: wrong(code) },
        { headers: { 'CF-Connecting-IP': `196.41.78.${index}` } },
      ).then(codeOf),
    ),
  );
  expect(answers.filter((answer) => answer === 'invalid_code')).toHaveLength(20);
});

test('the Worker checks at most two hundred wrong guesses a day at a phone number’s verification codes, over all IP addresses', async () => {
  const number = newNumber();
  const code = await askForCode(number);
  const tryFrom = async (address: string, verification_code: string) =>
    codeOf(
      await call(
        'POST',
        '/api/users',
        { ...newRegistration(number), verification_code },
        { headers: { 'CF-Connecting-IP': address } },
      ),
    );
  await env.DB.prepare("delete from rate_counters where subject like 'number_code_guess:%'").run();
  expect(await tryFrom('196.41.79.1', wrong(code))).toBe('invalid_code');
  const counted = await env.DB.prepare(
    "update rate_counters set count = 199 where subject like 'number_code_guess:%' and count = 1 returning subject",
  ).all();
  expect(counted.results).toHaveLength(1);
  expect(await tryFrom('196.41.79.2', wrong(code))).toBe('invalid_code');
  expect(await tryFrom('196.41.79.3', code)).toBe('too_many_requests');
});

test('a registration treats an empty or null `verification_code` or `number_proof` like a missing field', async () => {
  for (const nothing of ['', ' ', null]) {
    const body = { ...newRegistration(newNumber()), number_proof: nothing, verification_code: nothing };
    expect((await register(body)).status).toBe(201);
  }
});

test('a verification code expires after five minutes, and the next code for the phone number replaces it', async () => {
  const number = newNumber();
  const first = await askForCode(number);
  const second = await askForCode(number);
  const tryIt = async (verification_code: string) =>
    codeOf(await register({ ...newRegistration(number), verification_code }));
  expect(await tryIt(first)).toBe('invalid_code');
  await env.DB.prepare('update number_codes set issued_at = issued_at - 300000 where number = ?').bind(number).run();
  expect(await tryIt(second)).toBe('code_expired');
});

test('only a successful registration uses up its verification code', async () => {
  const [number, somebody] = [newNumber(), await newPerson()];
  const verification_code = await askForCode(number);
  const registration = newRegistration(number);
  expect(await codeOf(await register({ ...registration, email: somebody.email, verification_code }))).toBe(
    'email_taken',
  );
  expect((await register({ ...registration, verification_code })).status).toBe(201);
  expect(await codeOf(await register({ ...newRegistration(number), verification_code }))).toBe('invalid_code');
});

test('a verification code moves a proven phone number to another account only if the proof is older than ninety days', async () => {
  const number = newNumber();
  const first = await proveByCode(number);
  const verification_code = await askForCode(number);
  const registration = { ...newRegistration(number), verification_code };
  await ageProof(number, 89);
  const refused = await register(registration);
  expect([refused.status, await codeOf(refused)]).toEqual([409, 'phone_taken']);
  expect((await holderOf(number))?.id).toBe(first);
  await ageProof(number, 2);
  const answer = await register(registration);
  expect(answer.status).toBe(201);
  expect((await holderOf(number))?.id).toBe((await answer.json<RegisteredUser>()).id);
});

test('a verification code works only for the purpose and the phone number for which it was sent', async () => {
  const person = await newPerson({ whatsapp_number: newNumber() });
  const [signUp, { code: reset }] = [await askForCode(person.phone), await issueCode(person.phone)];
  await askToChange(person, person.phone);
  const change = await lastCode('change_number', person.phone);
  const signUpWith = async (verification_code: string, number = person.phone) =>
    codeOf(await register({ ...newRegistration(number), verification_code }));
  for (const other of [reset, change]) expect(await signUpWith(other)).toBe('invalid_code');
  for (const verification_code of [signUp, reset])
    expect(await codeOf(await confirm(person, { verification_code }))).toBe('invalid_code');
  for (const verification_code of [signUp, change]) {
    const body = { whatsapp_number: person.phone, verification_code };
    expect(await codeOf(await call('POST', '/api/auth/verify-code', body))).toBe('invalid_code');
  }
  expect(await signUpWith(signUp, newNumber())).toBe('invalid_code');
});

test('an account changes its phone number, and another account can then register the former number', async () => {
  const person = await newPerson();
  const number = newNumber();
  expect((await askToChange(person, number)).status).toBe(200);
  const answer = await confirm(person, { verification_code: await lastCode('change_number', number) });
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ id: person.id, whatsapp_number: number, is_whatsapp_verified: true });
  expect(await holderOf(person.phone)).toBeNull();
  expect((await register(newRegistration(person.phone))).status).toBe(201);
});

test('a verification code for a new password stops working when the phone number moves to another account', async () => {
  const squatter = await newPerson({ whatsapp_number: newNumber() });
  const { code } = await issueCode(squatter.phone);
  await proveByCode(squatter.phone);
  const body = { whatsapp_number: squatter.phone, verification_code: code, new_password: 'mwembe mkubwa' };
  expect(await codeOf(await call('POST', '/api/auth/reset-password', body))).toBe('invalid_code');
});

test('an account can also prove the phone number that it already has', async () => {
  const person = await newPerson();
  await askToChange(person, person.phone);
  const answer = await confirm(person, { verification_code: await lastCode('change_number', person.phone) });
  expect(await answer.json()).toMatchObject({ whatsapp_number: person.phone, is_whatsapp_verified: true });
});

test('with the current password an account can change to a phone number that a WhatsApp message has proven', async () => {
  const [person, squatter] = [await newPerson(), await newPerson({ whatsapp_number: newNumber() })];
  const number_proof = await proveByMessage(squatter.phone);
  expect((await confirm(person, { number_proof })).status).toBe(422);
  const wrongly = await confirm(person, { number_proof, current_password: 'si hili' });
  expect([wrongly.status, await codeOf(wrongly)]).toEqual([403, 'wrong_password']);
  const answer = await confirm(person, { number_proof, current_password: person.password });
  expect(await answer.json()).toMatchObject({ whatsapp_number: squatter.phone, is_whatsapp_verified: true });
  expect((await holderOf(squatter.phone))?.id).toBe(person.id);
});

test('a person who changes to a phone number that another account has proven is refused at the confirmation, not at the request', async () => {
  const [person, number] = [await newPerson(), newNumber()];
  const owner = await proveByCode(number);
  expect((await askToChange(person, number)).status).toBe(200);
  const refused = await confirm(person, { verification_code: await lastCode('change_number', number) });
  expect([refused.status, await codeOf(refused)]).toEqual([409, 'phone_taken']);
  expect((await holderOf(number))?.id).toBe(owner);
  expect((await holderOf(person.phone))?.id).toBe(person.id);
});

test('if several accounts confirm the same new phone number concurrently, only one of them succeeds', async () => {
  const number = newNumber();
  const people = [await newPerson(), await newPerson(), await newPerson()];
  const proofs = await Promise.all(people.map(() => proveByMessage(number)));
  const answers = await Promise.all(
    people.map((person, index) =>
      confirm(person, { number_proof: proofs[index], current_password: person.password }).then(codeOf),
    ),
  );
  expect(answers.sort()).toEqual(['ok', 'phone_taken', 'phone_taken']);
  const holder = (await holderOf(number))?.id;
  for (const person of people) {
    const { results } = await env.DB.prepare('select number from phone_numbers where user_id = ?')
      .bind(person.id)
      .all();
    expect(results).toEqual([{ number: person.id === holder ? number : person.phone }]);
  }
});

test('of several concurrent confirmations with one verification code at least one succeeds, and the phone number changes', async () => {
  const [person, number] = [await newPerson(), newNumber()];
  await askToChange(person, number);
  const verification_code = await lastCode('change_number', number);
  const answers = await Promise.all([1, 2, 3].map(() => confirm(person, { verification_code }).then(codeOf)));
  expect(answers.filter((answer) => answer === 'ok').length).toBeGreaterThanOrEqual(1);
  expect(await holderOf(number)).toEqual({ id: person.id, is_proven: 1 });
});

test('requesting a change to a second new phone number invalidates the verification code sent to the first number', async () => {
  const [person, first, second] = [await newPerson(), newNumber(), newNumber()];
  await askToChange(person, first);
  const old = await lastCode('change_number', first);
  await askToChange(person, second);
  expect(await codeOf(await confirm(person, { verification_code: old }))).toBe('invalid_code');
  expect((await confirm(person, { verification_code: await lastCode('change_number', second) })).status).toBe(200);
});

test('a request with a revoked session token uses up no attempts at a verification code', async () => {
  const [person, number] = [await newPerson(), newNumber()];
  await askToChange(person, number);
  const right = await lastCode('change_number', number);
  const token = await signSessionToken(readConfig(env).keys.session, {
    userId: person.id,
    tokenVersion: 2,
    sessionId: crypto.randomUUID(),
  });
  await env.DB.prepare('update users set token_version = 2 where id = ?').bind(person.id).run();
  for (let tries = 0; tries < 6; tries++)
    expect(await codeOf(await confirm(person, { verification_code: wrong(right) }))).toBe('unauthorized');
  expect((await confirm({ ...person, token }, { verification_code: right })).status).toBe(200);
});

test('requesting a verification code for a new phone number needs the password, and wrong passwords count as failed sign-ins', async () => {
  const [person, number] = [await newPerson(), newNumber()];
  for (let tries = 0; tries < 10; tries++)
    expect(await codeOf(await askToChange(person, number, 'si hili'))).toBe('wrong_password');
  const beyond = await askToChange(person, number);
  expect([beyond.status, Number(beyond.headers.get('Retry-After')) > 0]).toEqual([429, true]);
  expect(await env.DB.prepare('select 1 from number_codes where number = ?').bind(number).first()).toBeNull();
});

test('at most three verification codes are sent to a phone number in a quarter of an hour', async () => {
  const number = newNumber();
  const asked = () => call('POST', '/api/auth/prove-number', { whatsapp_number: number });
  for (let count = 0; count < 3; count++) expect((await asked()).status).toBe(200);
  const beyond = await asked();
  expect([beyond.status, Number(beyond.headers.get('Retry-After')) > 0]).toEqual([429, true]);
});

test('a verification code is sent to Meta (WhatsApp) once, and a replaced, used or expired code is not sent', async () => {
  const meta = standInForMeta();
  const number = newNumber();
  const codes = [await askForCode(number), await askForCode(number)];
  // Waits until the test's queue has printed the verification code in place of sending it. Then marks the code as
  // unsent, so that `deliver` sends the code to Meta's stand-in.
  await expect
    .poll(() =>
      env.DB.prepare("select count(*) as n from number_codes where number = ? and status <> 'waiting'")
        .bind(number)
        .first('n'),
    )
    .toBeGreaterThan(0);
  await env.DB.prepare("update number_codes set status = 'waiting' where number = ?").bind(number).run();
  const { results } = await env.DB.prepare('select id from number_codes where number = ? order by issued_at, rowid')
    .bind(number)
    .all<{ id: string }>();
  for (const { id } of [...results, ...results]) {
    await deliver(meta.env, { kind: 'prove_number', requestId: id, language: 'sw' });
  }
  const sent = meta.api.accepted.map(({ to, body }) => [to, JSON.stringify(body).includes(codes[1] ?? '')]);
  expect(sent).toEqual([[number, true]]);
});

test('the logs contain no phone number, no verification code and no `number_proof` (proof by a WhatsApp message)', async () => {
  const logs = captureLogs();
  const meta = standInForMeta();
  const number = newNumber();
  const code = await askForCode(number);
  const id = await env.DB.prepare('select id from number_codes where number = ?').bind(number).first<string>('id');
  await env.DB.prepare("update number_codes set status = 'waiting' where number = ?").bind(number).run();
  meta.api.failNext({ code: 131026, httpStatus: 400 });
  await deliver(meta.env, { kind: 'prove_number', requestId: id, language: 'sw' });
  const proof = await proveByMessage(number);
  await register({ ...newRegistration(number), verification_code: wrong(code) });
  await register({ ...newRegistration(number), number_proof: proof });
  const lines = [...logs.log.mock.calls, ...logs.warn.mock.calls, ...logs.error.mock.calls]
    .filter(([line]) => line.event !== 'whatsapp_printed')
    .map(([line]) => JSON.stringify(line))
    .join('\n');
  for (const secret of [code, proof, number, number.slice(1)]) expect(lines).not.toContain(secret);
});
