import { env } from 'cloudflare:workers';
import { afterEach, expect, test, vi } from 'vitest';
import type { Me } from '#contract/accounts.ts';
import type { ErrorBody } from '#contract/error-codes.ts';
import { app } from '#worker/app.ts';
import { clearExpired } from '#worker/clear-expired.ts';
import { openDb } from '#worker/db/client.ts';
import { ask, call, newPerson, ORIGIN, type Person, signIn } from './support/api.ts';
import { captureLogs } from './support/capture-logs.ts';
import { askForLink, confirm, linkIn, listEmails, tokenIn, waitForEmails } from './support/emails.ts';
import { newNumber, newRegistration, register } from './support/numbers.ts';

afterEach(() => vi.unstubAllGlobals());

async function readMe(person: Person): Promise<Me> {
  return (await call('GET', '/api/me', undefined, person)).json<Me>();
}

async function codeOf(answer: Response): Promise<string> {
  return answer.ok ? String(answer.status) : `${answer.status} ${(await answer.json<ErrorBody>()).code}`;
}

/** How many links for an address there are, in whatever case it is written. */
function countLinksTo(email: string) {
  return env.DB.prepare('select count(*) as n from email_links where lower(email) = ?').bind(email).first('n');
}

let addresses = 0;
const newAddress = () => `anwani${++addresses}.${crypto.randomUUID().slice(0, 8)}@example.com`;

/** Asks for a link. @returns the token of the e-mail that brings it. */
async function bringLink(person: Person, email: string): Promise<string> {
  expect(await codeOf(await askForLink(person, email))).toBe('200');
  const [newest] = await waitForEmails(email);
  if (!newest) throw new Error('no e-mail');
  return tokenIn(newest);
}

test.each([
  ['en', 'Confirm your email address'],
  ['sw', 'Thibitisha anwani yako ya barua pepe'],
])('a sign-up in %s sends a link in its language, which proves the address once', async (language, subject) => {
  const registration = newRegistration(newNumber());
  expect((await call('POST', '/api/users', registration, { language })).status).toBe(201);
  const emails = await waitForEmails(registration.email);
  expect(emails).toEqual([
    {
      to: registration.email,
      kind: 'confirm_email',
      subject,
      text: expect.stringContaining(`${ORIGIN}/confirm-email#`),
      headers: { References: expect.stringMatching(/^<[\w-]+@patikana\.test>$/), 'Auto-Submitted': 'auto-generated' },
      language,
      created_at: expect.any(String),
    },
  ]);
  const [email] = emails;
  if (!email) throw new Error('no e-mail');
  expect(linkIn(email).search).toBe('');
  expect(await codeOf(await confirm(tokenIn(email)))).toBe('204');
  const session = await (await signIn(registration.email, registration.password)).json<{ access_token: string }>();
  const me = await call('GET', '/api/me', undefined, { token: session.access_token });
  expect(await me.json()).toMatchObject({ is_email_proven: true, is_email_available: true });
  expect(await codeOf(await confirm(tokenIn(email)))).toBe('400 invalid_code');
});

test('of ten who open a link at once one proves it, and the address stays proven', async () => {
  const person = await newPerson();
  const token = await bringLink(person, person.email);
  const codes = await Promise.all(Array.from({ length: 10 }, async () => codeOf(await confirm(token))));
  expect(codes.filter((code) => code === '204')).toHaveLength(1);
  expect(codes.filter((code) => code === '400 invalid_code')).toHaveLength(9);
  expect((await readMe(person)).is_email_proven).toBe(true);
});

test('until the link is opened the old address stays, also for signing in; then the new one is the account’s', async () => {
  const person = await newPerson();
  const email = newAddress();
  const token = await bringLink(person, email.toUpperCase());
  expect(await readMe(person)).toMatchObject({ email: person.email, is_email_proven: false });
  expect((await signIn(email, person.password)).status).toBe(401);
  expect(await codeOf(await confirm(token))).toBe('204');
  expect(await readMe(person)).toMatchObject({ email: email.toUpperCase(), is_email_proven: true });
  expect((await signIn(email, person.password)).status).toBe(200);
  expect((await signIn(person.email, person.password)).status).toBe(401);
});

test('a new link ends the one before, whatever address it is for', async () => {
  const person = await newPerson();
  const [first, second] = [newAddress(), newAddress()];
  const former = await bringLink(person, first);
  const token = await bringLink(person, second);
  expect(await codeOf(await confirm(former))).toBe('400 invalid_code');
  expect((await readMe(person)).email).toBe(person.email);
  expect(await codeOf(await confirm(token))).toBe('204');
});

test.each([
  [24 * 60, '400 invalid_code'],
  [24 * 60 - 1, '204'],
])('a link that is %i minutes old: %s', async (minutes, expected) => {
  const person = await newPerson();
  const token = await bringLink(person, person.email);
  await env.DB.prepare('update email_links set created_at = ? where user_id = ?')
    .bind(Date.now() - minutes * 60_000, person.id)
    .run();
  expect(await codeOf(await confirm(token))).toBe(expected);
});

test('who has left proves nothing any more', async () => {
  const person = await newPerson();
  const token = await bringLink(person, person.email);
  await env.DB.prepare('update users set closed_at = 1 where id = ?').bind(person.id).run();
  expect(await codeOf(await confirm(token))).toBe('400 invalid_code');
});

test('what opens nothing any more is forgotten', async () => {
  const person = await newPerson();
  await bringLink(person, person.email);
  await clearExpired(openDb(env), Date.now() + 9 * 24 * 60 * 60 * 1000);
  for (const table of ['email_links where user_id', 'email_messages where recipient_id'])
    expect(await env.DB.prepare(`select 1 from ${table} = ?`).bind(person.id).first()).toBeNull();
});

test('an address that is somebody else’s is answered alike, and nothing is sent there', async () => {
  const [person, other] = [await newPerson(), await newPerson()];
  expect(await codeOf(await askForLink(person, other.email.toUpperCase()))).toBe('200');
  expect(await env.DB.prepare('select 1 from email_links where user_id = ?').bind(person.id).first()).toBeNull();
  expect(await listEmails(other.email)).toEqual([]);
});

test('an address that somebody has taken while the link was on its way stays theirs', async () => {
  const person = await newPerson();
  const email = newAddress();
  const token = await bringLink(person, email);
  const taker = await newPerson({ email: email.toUpperCase() });
  expect(await codeOf(await confirm(token))).toBe('400 invalid_code');
  expect((await readMe(taker)).email).toBe(email.toUpperCase());
  expect(await readMe(person)).toMatchObject({ email: person.email, is_email_proven: false });
});

test.each([
  ['a guess', 'x'.repeat(43), '400 invalid_code'],
  ['one that is very long', 'x'.repeat(10_000), '400 invalid_code'],
  ['nothing', '', '422 validation_failed'],
  ['no text', 7, '422 validation_failed'],
  ['null', null, '422 validation_failed'],
])('%s proves nothing', async (_what, token, expected) => {
  expect(await codeOf(await confirm(token))).toBe(expected);
});

test('neither the link’s id nor what the database finds it by opens it', async () => {
  const person = await newPerson();
  await bringLink(person, person.email);
  const row = await env.DB.prepare('select id, token_digest from email_links where user_id = ?')
    .bind(person.id)
    .first<{ id: string; token_digest: string }>();
  for (const token of [row?.id, row?.token_digest]) expect(await codeOf(await confirm(token))).toBe('400 invalid_code');
});

test('it takes the current password, and a wrong one counts', async () => {
  const person = await newPerson();
  expect(await codeOf(await askForLink(person, newAddress(), 'si hili nenosiri'))).toBe('403 wrong_password');
  for (let index = 0; index < 9; index++) await askForLink(person, newAddress(), 'si hili nenosiri');
  expect(await codeOf(await askForLink(person, newAddress()))).toBe('429 too_many_requests');
});

test.each(['', 'sio anwani', 'a@b', `${'x'.repeat(250)}@example.com`])('%j is no address', async (email) => {
  expect(await codeOf(await askForLink(await newPerson(), email))).toBe('422 validation_failed');
});

test('an account asks ten times an hour, and nobody’s inbox is filled by many accounts', async () => {
  const person = await newPerson();
  for (let index = 0; index < 10; index++) expect((await askForLink(person, newAddress())).status).toBe(200);
  const eleventh = newAddress();
  expect(await codeOf(await askForLink(person, eleventh))).toBe('429 too_many_requests');
  expect(await countLinksTo(eleventh)).toBe(0);
  const victim = newAddress();
  const answers = [];
  for (const address of [victim, victim, victim.toUpperCase(), victim, victim])
    answers.push(await askForLink(await newPerson(), address));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429]);
  expect(Number(answers[4]?.headers.get('Retry-After'))).toBeGreaterThan(0);
  expect(await waitForEmails(victim, 3)).toHaveLength(3);
  expect(await register({ ...newRegistration(newNumber()), email: victim })).toMatchObject({ status: 201 });
  expect(await countLinksTo(victim)).toBe(3);
});

test('no log has an address, a link or what opens it', async () => {
  const logs = captureLogs();
  const person = await newPerson();
  const email = newAddress();
  const token = await bringLink(person, email);
  await confirm(token);
  await confirm('a-wrong-token');
  const lines = JSON.stringify(Object.values(logs).map(({ mock }) => mock.calls));
  expect(lines).toContain('email_accepted');
  for (const secret of [email, token, person.email, 'a-wrong-token']) expect(lines).not.toContain(secret);
});

test('where no e-mail is sent nothing is made, and the app learns it', async () => {
  const person = await newPerson();
  const deployed: object = {
    WHATSAPP_TRANSPORT: 'cloud-api',
    WHATSAPP_PHONE_NUMBER_ID: '1',
    WHATSAPP_ACCESS_TOKEN: 'x',
  };
  const headers = { Authorization: `Bearer ${person.token}` };
  const answer = await ask(
    deployed,
    '/api/me/email',
    { email: person.email, current_password: person.password },
    headers,
  );
  expect(await answer.json()).toEqual({ success: true });
  expect(await env.DB.prepare('select 1 from email_links where user_id = ?').bind(person.id).first()).toBeNull();
  const me = await app.fetch(new Request(`${ORIGIN}/api/me`, { headers }), { ...env, ...deployed });
  expect(await me.json()).toMatchObject({ is_email_available: false, is_email_proven: false });
  const dev = await app.fetch(new Request(`${ORIGIN}/api/dev/emails`), { ...env, ...deployed });
  expect(dev.status).toBe(404);
});

test('an address of the list that is none is 422', async () => {
  expect((await call('GET', '/api/dev/emails?to=hapana')).status).toBe(422);
});
