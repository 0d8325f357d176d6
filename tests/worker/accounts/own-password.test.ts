import { env } from 'cloudflare:workers';
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import type { Device, Session } from '#contract/accounts.ts';
import type { ErrorBody } from '#contract/error-codes.ts';
import { CLOSE_SIGNED_OUT } from '#contract/live-messages.ts';
import { PushService } from '#tests/support/push-service.ts';
import { call, newPerson, ORIGIN, type Person, signIn } from '#tests/worker/support/api.ts';
import { connect } from '#tests/worker/support/live.ts';
import { PUSH_ORIGIN, put, subscriptionsOf } from '#tests/worker/support/messages.ts';
import { cookiesOf, guessAtOnce, times, WRONG } from '#tests/worker/support/people.ts';
import { assertCurrentPassword } from '#worker/accounts/sign-in.ts';
import { answerError } from '#worker/http/answer-error.ts';
import { type AppEnv, withLanguage } from '#worker/http/context.ts';
import { withConfiguration } from '#worker/http/middleware.ts';
import { requireViewer, withViewer } from '#worker/http/viewer.ts';

const NEXT = 'matumaini ya kesho kutwa';

async function signedIn(person: Person): Promise<Person> {
  const session = await (await signIn(person.email, person.password)).json<Session>();
  return { ...person, token: session.access_token };
}

const change = (person: Person, current: string, next: string) =>
  call('POST', '/api/me/password', { current_password: current, new_password: next }, person);
const statusOf = async (person: Person) => (await call('GET', '/api/me', undefined, person)).status;

test('a new password signs out all other sessions', async () => {
  const person = await newPerson();
  const [phone, other] = [await signedIn(person), await signedIn(person)];
  const [own, theirs] = [await connect(phone), await connect(other)];
  const stranger = await signedIn(await newPerson());
  await put(new PushService(PUSH_ORIGIN).subscribe(), other);
  const browser = new PushService(PUSH_ORIGIN).subscribe();
  await put(browser, phone);
  const answer = await change(phone, person.password, NEXT);
  expect(answer.status).toBe(200);
  const session = await answer.json<Session>();
  expect(session).toMatchObject({ token_type: 'bearer', user_id: person.id });
  await expect.poll(() => theirs.closed?.code).toBe(CLOSE_SIGNED_OUT);
  expect(own.closed).toBeNull();
  expect([await statusOf(phone), await statusOf(other), await statusOf(person)]).toEqual([401, 401, 401]);
  const after = { ...person, token: session.access_token };
  expect(await statusOf(after)).toBe(200);
  const devices = await (await call('GET', '/api/me/devices', undefined, after)).json<Device[]>();
  expect(devices.map(({ is_this }) => is_this)).toEqual([true]);
  expect((await subscriptionsOf(person)).map(({ endpoint }) => endpoint)).toEqual([browser.endpoint]);
  expect(await statusOf(stranger)).toBe(200);
  expect((await signIn(person.email, person.password)).status).toBe(401);
  expect((await signIn(person.email, NEXT)).status).toBe(200);
});

test('the device that set a new password stays known', async () => {
  const person = await newPerson();
  const answer = await change(person, person.password, NEXT);
  const Cookie = cookiesOf(answer);
  expect(await statusOf({ ...person, token: (await answer.json<Session>()).access_token })).toBe(200);
  // The strangers' attempts are used up.
  for (let guess = 0; guess < 20; guess++) await signIn(person.email, WRONG);
  expect((await signIn(person.email, NEXT)).status).toBe(429);
  expect((await signIn(person.email, NEXT, { Cookie })).status).toBe(200);
});

test.each([
  ['wrong_password', 403, WRONG, NEXT],
  ['validation_failed', 422, 'tumaini la kesho', 'fupi'],
  ['validation_failed', 422, 'tumaini la kesho', 'password1'],
  ['validation_failed', 422, '', NEXT],
])('%s changes nothing', async (code, status, current, next) => {
  const person = await newPerson();
  const answer = await change(person, current, next);
  expect([answer.status, (await answer.json<ErrorBody>()).code]).toEqual([status, code]);
  expect(await statusOf(person)).toBe(200);
  expect((await signIn(person.email, person.password)).status).toBe(200);
});

test('a common password is reported at its field', async () => {
  const person = await newPerson();
  expect(await (await change(person, person.password, 'password1')).json()).toMatchObject({
    errors: [{ field: 'new_password', message: expect.stringContaining('too common') }],
  });
});

test('after ten wrong passwords the right one waits too', async () => {
  const person = await newPerson();
  for (let guess = 0; guess < 10; guess++) expect((await change(person, WRONG, NEXT)).status).toBe(403);
  const refused = await change(person, person.password, NEXT);
  expect([refused.status, Number(refused.headers.get('Retry-After'))]).toEqual([429, expect.any(Number)]);
  expect(await statusOf(person)).toBe(200);
});

test('signing out everywhere keeps the caller signed in, and needs no password', async () => {
  const person = await newPerson();
  const [phone, other] = [await signedIn(person), await signedIn(person)];
  const theirs = await connect(other);
  const answer = await call('POST', '/api/me/sign-out-everywhere', undefined, phone);
  const { access_token: token } = await answer.json<Session>();
  await expect.poll(() => theirs.closed?.code).toBe(CLOSE_SIGNED_OUT);
  expect([await statusOf(phone), await statusOf(other), await statusOf(person)]).toEqual([401, 401, 401]);
  expect(await statusOf({ ...person, token })).toBe(200);
  expect((await signIn(person.email, person.password)).status).toBe(200);
});

test('signing out everywhere makes no device known, and gives no further guesses', async () => {
  const person = await newPerson();
  let thief = person;
  for (let guess = 0; guess < 10; guess++) {
    expect((await change(thief, WRONG, NEXT)).status).toBe(403);
    const answer = await call('POST', '/api/me/sign-out-everywhere', undefined, thief);
    expect(answer.headers.getSetCookie()).toEqual([]);
    thief = { ...thief, token: (await answer.json<Session>()).access_token };
  }
  expect((await change(thief, WRONG, NEXT)).status).toBe(429);
});

test('a known device that signs out everywhere stays known, with its remaining guesses', async () => {
  const person = await newPerson();
  const session = await signIn(person.email, person.password);
  const Cookie = cookiesOf(session);
  const device = { token: (await session.json<Session>()).access_token, headers: { Cookie } };
  expect(await guessAtOnce(person.email, 10, { Cookie })).toEqual(times(10, 401));
  const after = cookiesOf(await call('POST', '/api/me/sign-out-everywhere', undefined, device));
  const idIn = (cookie: string) => /\.([0-9a-f-]{36})\./.exec(cookie)?.[1];
  expect([idIn(after), after === Cookie]).toEqual([idIn(Cookie), false]);
  expect((await signIn(person.email, person.password, { Cookie: after })).status).toBe(429);
  expect((await signIn(person.email, person.password)).status).toBe(200);
});

test('of two sessions that sign each other out at once one stays', async () => {
  const person = await newPerson();
  const both = [await signedIn(person), await signedIn(person)];
  const answers = await Promise.all(
    both.map((device) => call('POST', '/api/me/sign-out-everywhere', undefined, device)),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
});

/** A route that requires the password, as an example for all of them. */
const asking = new Hono<AppEnv>()
  .use(withLanguage)
  .use(withConfiguration)
  .use(withViewer)
  .post('/', requireViewer, async (c) => {
    await assertCurrentPassword(c, c.var.viewer, await c.req.text());
    return c.json({ success: true });
  });
asking.onError(answerError);

async function give({ token }: Person, password: string): Promise<string> {
  const headers = { Authorization: `Bearer ${token}` };
  const answer = await asking.fetch(new Request(`${ORIGIN}/`, { method: 'POST', headers, body: password }), env);
  return answer.status === 200 ? 'right' : `${answer.status} ${(await answer.json<ErrorBody>()).code}`;
}

test('the current password is accepted, and a wrong one gives 403', async () => {
  const person = await newPerson();
  expect(await give(person, person.password)).toBe('right');
  expect(await give(person, 'si hili nenosiri')).toBe('403 wrong_password');
});

test('wrong passwords are counted, and after ten the right one waits too', async () => {
  const [person, other] = [await newPerson(), await newPerson()];
  const guesses = await Promise.all(Array.from({ length: 12 }, () => give(person, 'si hili nenosiri')));
  expect(guesses.filter((guess) => guess === '403 wrong_password')).toHaveLength(10);
  expect(guesses.filter((guess) => guess === '429 too_many_requests')).toHaveLength(2);
  expect(await give(person, person.password)).toBe('429 too_many_requests');
  expect(await give(other, other.password)).toBe('right');
});

test('the right password resets the count of wrong ones', async () => {
  const person = await newPerson();
  for (let round = 0; round < 2; round++) {
    for (let guess = 0; guess < 9; guess++) expect(await give(person, 'si hili nenosiri')).toBe('403 wrong_password');
    expect(await give(person, person.password)).toBe('right');
  }
});

test('a revoked session learns nothing about a password', async () => {
  const person = await newPerson();
  await env.DB.prepare('update users set token_version = 2 where id = ?').bind(person.id).run();
  expect(await give(person, person.password)).toBe('401 unauthorized');
});
