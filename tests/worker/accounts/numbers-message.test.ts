import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { RegisteredUser } from '#contract/accounts.ts';
import { ask, call, newPerson } from '#tests/worker/support/api.ts';
import { waitForEmails } from '#tests/worker/support/messages.ts';
import {
  bring,
  codeOf,
  holderOf,
  newMessage,
  newNumber,
  newRegistration,
  proveByMessage,
  readProof,
  register,
  startProof,
} from '#tests/worker/support/people.ts';

test('a WhatsApp proof message contains the phone number, a warning in the user’s language, and a text such as PK-ABCD-2345', async () => {
  const number = newNumber();
  for (const [language, warning] of [
    ['en', 'If you did not ask for this, do not send it.'],
    ['sw', 'Kama hukuomba hili, usitume ujumbe huu.'],
  ] as const) {
    const { url, text, expires_at } = await startProof(number, language);
    expect(url).toMatch(/^https:\/\/wa\.me\/255700000100\?text=/);
    expect(text).toContain(number);
    expect(text).toContain(warning);
    expect(text).toMatch(/ PK-[A-Z2-9]{4}-[A-Z2-9]{4}$/);
    expect(Date.parse(expires_at) - Date.now()).toBeGreaterThan(9.9 * 60_000);
  }
});

test('a server without WHATSAPP_DISPLAY_NUMBER refuses to start a proof by WhatsApp message', async () => {
  const bindings = { ...env, WHATSAPP_DISPLAY_NUMBER: undefined };
  const answer = await ask(bindings, '/api/auth/number-proofs', { whatsapp_number: newNumber() });
  expect([answer.status, await codeOf(answer)]).toEqual([404, 'proof_unavailable']);
});

test('only the person who started a proof by WhatsApp message sees its result', async () => {
  const started = await startProof(newNumber());
  expect(await readProof(started)).toEqual({ status: 'waiting', proof: null });
  const wrongHeaders: Record<string, string>[] = [{ 'X-Proof-Secret': started.id }, { 'X-Proof-Secret': 'x' }, {}];
  for (const headers of wrongHeaders) {
    expect((await call('GET', `/api/auth/number-proofs/${started.id}`, undefined, { headers })).status).toBe(404);
  }
});

test('a WhatsApp message lets a person register a phone number that another account has added without proof', async () => {
  const squatter = await newPerson({ whatsapp_number: newNumber() });
  const registration = newRegistration(squatter.phone);
  expect(await codeOf(await register(registration))).toBe('phone_taken');
  const number_proof = await proveByMessage(squatter.phone);
  const answer = await register({ ...registration, number_proof });
  expect(answer.status).toBe(201);
  const { id } = await answer.json<RegisteredUser>();
  expect(await holderOf(squatter.phone)).toEqual({ id, is_proven: 1 });
  expect(await waitForEmails(registration.email)).toMatchObject([{ kind: 'confirm_email' }]);
  const me = await call('GET', '/api/me', undefined, squatter);
  expect(await me.json()).toMatchObject({ id: squatter.id, whatsapp_number: null, is_whatsapp_verified: false });
});

test('a proof of a phone number cannot be used for a second registration', async () => {
  const number = newNumber();
  const number_proof = await proveByMessage(number);
  expect((await register({ ...newRegistration(number), number_proof })).status).toBe(201);
  expect(await codeOf(await register({ ...newRegistration(number), number_proof }))).toBe('invalid_code');
});

test('only one of two concurrent registrations with the same WhatsApp proof creates an account', async () => {
  const number = newNumber();
  const number_proof = await proveByMessage(number);
  const answers = await Promise.all([1, 2, 3].map(() => register({ ...newRegistration(number), number_proof })));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
  const { results } = await env.DB.prepare('select 1 from phone_numbers where number = ?').bind(number).all();
  expect(results).toHaveLength(1);
});

test('a failed registration does not use up the proof of a phone number', async () => {
  const [number, somebody] = [newNumber(), await newPerson()];
  const number_proof = await proveByMessage(number);
  const registration = newRegistration(number);
  expect(await codeOf(await register({ ...registration, email: somebody.email, number_proof }))).toBe('email_taken');
  expect((await register({ ...registration, number_proof })).status).toBe(201);
});

test('a WhatsApp proof covers only the phone number that sent the message', async () => {
  const number_proof = await proveByMessage(newNumber());
  expect(await codeOf(await register({ ...newRegistration(newNumber()), number_proof }))).toBe('invalid_code');
});

test.each(['', '.', 'x.y', `${crypto.randomUUID()}.abc`])(
  'the value %j is not accepted as a WhatsApp proof of a phone number',
  async (made) => {
    const number = newNumber();
    const answer = await register({ ...newRegistration(number), number_proof: `${made} ` });
    // An empty field counts as absent.
    expect(await codeOf(answer)).toBe(made === '' ? 'ok' : 'invalid_code');
  },
);

test('the proof of a phone number is refused with code_expired when the proof is fifteen minutes old', async () => {
  const number = newNumber();
  const number_proof = await proveByMessage(number);
  await env.DB.prepare('update number_proofs set proven_at = proven_at - ? where number = ?')
    .bind(15 * 60_000, number)
    .run();
  expect(await codeOf(await register({ ...newRegistration(number), number_proof }))).toBe('code_expired');
});

test('a WhatsApp message never takes a phone number from a person who has proven it', async () => {
  const number = newNumber();
  await register({ ...newRegistration(number), number_proof: await proveByMessage(number) });
  await env.DB.prepare('update phone_numbers set proven_at = 1 where number = ?').bind(number).run();
  const again = await register({ ...newRegistration(number), number_proof: await proveByMessage(number) });
  expect([again.status, await codeOf(again)]).toEqual([409, 'phone_taken']);
});

test.each<[string, (text: string) => object, string]>([
  ['the proof text with an additional word', (text) => ({ text: { body: `${text} habari` } }), 'waiting'],
  ['the proof text without its first character', (text) => ({ text: { body: text.slice(1) } }), 'waiting'],
  ['the code of the proof text alone', (text) => ({ text: { body: text.slice(-12) } }), 'waiting'],
  ['a forwarded text', () => ({ context: { forwarded: true } }), 'waiting'],
  ['a text that was forwarded often', () => ({ context: { frequently_forwarded: true } }), 'waiting'],
  ['the caption of an image', (text) => ({ type: 'image', text: undefined, image: { caption: text } }), 'waiting'],
  ['a text sent before the request', () => ({ timestamp: String(Math.floor(Date.now() / 1000) - 5) }), 'waiting'],
  ['a text sent after the ten minutes', () => ({ timestamp: String(Math.floor(Date.now() / 1000) + 602) }), 'waiting'],
  ['a text without a time', () => ({ timestamp: undefined }), 'waiting'],
  ['a text without an id', () => ({ id: undefined }), 'waiting'],
  ['a text from another phone number', () => ({ from: '255620009999' }), 'other_number'],
  ['a sender whose number is hidden', () => ({ from: undefined, from_user_id: 'TZ.1234567890' }), 'number_hidden'],
  ['a sender with a name in place of the number', () => ({ from: 'TZ.1234567890' }), 'number_hidden'],
])(
  '%s does not prove a phone number by WhatsApp; the correct message, sent next, does',
  async (_what, alter, status) => {
    const number = newNumber();
    const started = await startProof(number, 'sw');
    expect(await bring([newMessage(number, started.text, alter(started.text) as Record<string, unknown>)])).toBe(200);
    expect(await readProof(started)).toEqual({ status, proof: null });
    await bring([newMessage(number, started.text)]);
    expect((await readProof(started)).status).toBe('proven');
  },
);

test('an incoming WhatsApp message with a wrong signature, or changed after Meta signed it, is refused', async () => {
  const number = newNumber();
  const started = await startProof(number);
  const message = newMessage(number, started.text);
  expect(await bring([message], { secret: 'another-secret' })).toBe(403);
  expect(await bring([message], { alter: (body) => `${body} ` })).toBe(403);
  expect((await readProof(started)).status).toBe('waiting');
});

test('a WhatsApp message that arrives again under the same id is ignored', async () => {
  const number = newNumber();
  const [first, second] = [await startProof(number), await startProof(number)];
  const message = newMessage(number, first.text, { from: '255620009998' });
  await bring([message]);
  await bring([{ ...message, from: number.slice(1) }]);
  expect((await readProof(first)).status).toBe('other_number');
  await bring([newMessage(number, second.text), { type: 'unsupported' }, newMessage(number, 'Habari')]);
  expect((await readProof(second)).status).toBe('proven');
});

test('a proven phone number stays proven if another phone number later sends the same WhatsApp proof message', async () => {
  const number = newNumber();
  const started = await startProof(number);
  await bring([newMessage(number, started.text), newMessage('+255620009997', started.text)]);
  expect((await readProof(started)).status).toBe('proven');
});

test('a WhatsApp proof message must be sent within ten minutes of the proof’s start, but may arrive later', async () => {
  const number = newNumber();
  const started = await startProof(number);
  const sentAt = String(Math.floor(Date.now() / 1000) - 300);
  await env.DB.prepare('update number_proofs set created_at = created_at - 601000 where id = ?').bind(started.id).run();
  expect(await readProof(started)).toEqual({ status: 'expired', proof: null });
  await bring([newMessage(number, started.text)]);
  expect((await readProof(started)).status).toBe('expired');
  await bring([newMessage(number, started.text, { timestamp: sentAt })]);
  expect((await readProof(started)).status).toBe('proven');
});

test('a scammer who tricks a person into sending a proof message proves no phone number', async () => {
  const [victim, scammer] = [newNumber(), newNumber()];
  // The victim's message does not prove the scammer's own phone number.
  const own = await startProof(scammer);
  await bring([newMessage(victim, own.text)]);
  expect((await readProof(own)).status).toBe('other_number');
  // The text that the victim should send names the victim's phone number and warns the victim. The same code in another
  // text proves nothing.
  const stolen = await startProof(victim);
  expect(stolen.text).toContain(victim);
  expect(stolen.text).toContain('do not send it');
  const code = stolen.text.slice(-12);
  await bring([newMessage(victim, `Hongera! Tuma ujumbe huu upate zawadi yako. ${code}`)]);
  expect((await readProof(stolen)).status).toBe('waiting');
  // A phone number that a person has proven before stays with that person.
  const { id } = await (
    await register({ ...newRegistration(victim), number_proof: await proveByMessage(victim) })
  ).json<RegisteredUser>();
  await bring([newMessage(victim, stolen.text)]);
  const { proof } = await readProof(stolen);
  expect(await codeOf(await register({ ...newRegistration(victim), number_proof: proof }))).toBe('phone_taken');
  expect(await holderOf(victim)).toEqual({ id, is_proven: 1 });
});

test('a WhatsApp proof of a phone number is not accepted as a verification code for a new password', async () => {
  const person = await newPerson();
  const number_proof = await proveByMessage(person.phone);
  for (const verification_code of [number_proof, number_proof.slice(0, 20)]) {
    const body = { whatsapp_number: person.phone, verification_code, new_password: 'mwembe mkubwa' };
    expect([400, 422]).toContain((await call('POST', '/api/auth/reset-password', body)).status);
  }
});

test('a WhatsApp message can be simulated only if WHATSAPP_TRANSPORT is “local”', async () => {
  const number = newNumber();
  const started = await startProof(number);
  const say = (body: object) => call('POST', '/api/dev/whatsapp-incoming', body);
  expect((await say({ from: number, text: started.text, forwarded: true })).status).toBe(204);
  expect((await readProof(started)).status).toBe('waiting');
  expect((await say({ text: started.text })).status).toBe(204);
  expect((await readProof(started)).status).toBe('number_hidden');
  expect((await say({ from: number.slice(1), text: started.text })).status).toBe(204);
  expect((await readProof(started)).status).toBe('proven');
  const meta = { WHATSAPP_TRANSPORT: 'cloud-api', WHATSAPP_PHONE_NUMBER_ID: '1', WHATSAPP_ACCESS_TOKEN: 'x' };
  const bindings = { ...env, ...meta };
  expect((await ask(bindings, '/api/dev/whatsapp-incoming', { from: number, text: 'x' })).status).toBe(404);
});
