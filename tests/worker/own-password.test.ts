import { expect, test } from 'vitest';
import type { Session } from '#contract/accounts.ts';
import type { Device } from '#contract/devices.ts';
import type { ErrorBody } from '#contract/error-codes.ts';
import { CLOSE_SIGNED_OUT } from '#contract/live-messages.ts';
import { PushService } from '#tests/support/push-service.ts';
import { call, newPerson, type Person, signIn } from './support/api.ts';
import { cookiesOf, guessAtOnce, times, WRONG } from './support/devices.ts';
import { connect } from './support/live.ts';
import { PUSH_ORIGIN, put, subscriptionsOf } from './support/push.ts';

const NEXT = 'matumaini ya kesho kutwa';

async function signedIn(person: Person): Promise<Person> {
  const session = await (await signIn(person.email, person.password)).json<Session>();
  return { ...person, token: session.access_token };
}

const change = (person: Person, current: string, next: string) =>
  call('POST', '/api/me/password', { current_password: current, new_password: next }, person);
const statusOf = async (person: Person) => (await call('GET', '/api/me', undefined, person)).status;

test('a new password signs everybody out but whoever set it', async () => {
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

test('whoever set a new password stays a known device', async () => {
  const person = await newPerson();
  const answer = await change(person, person.password, NEXT);
  const Cookie = cookiesOf(answer);
  expect(await statusOf({ ...person, token: (await answer.json<Session>()).access_token })).toBe(200);
  // Strangers have used up what strangers may.
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

test('a common password is refused where it was typed', async () => {
  const person = await newPerson();
  expect(await (await change(person, person.password, 'password1')).json()).toMatchObject({
    errors: [{ field: 'new_password', message: expect.stringContaining('too common') }],
  });
});

test('ten wrong passwords are enough: the right one waits too', async () => {
  const person = await newPerson();
  for (let guess = 0; guess < 10; guess++) expect((await change(person, WRONG, NEXT)).status).toBe(403);
  const refused = await change(person, person.password, NEXT);
  expect([refused.status, Number(refused.headers.get('Retry-After'))]).toEqual([429, expect.any(Number)]);
  expect(await statusOf(person)).toBe(200);
});

test('signing out everywhere leaves the caller alone, without a password', async () => {
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

test('signing out everywhere makes no device known, and lets nobody guess the password any further', async () => {
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

test('a known device that signs out everywhere stays the one it is, with the guesses that it has left', async () => {
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

test('of two who sign the other out at once one stays', async () => {
  const person = await newPerson();
  const both = [await signedIn(person), await signedIn(person)];
  const answers = await Promise.all(
    both.map((device) => call('POST', '/api/me/sign-out-everywhere', undefined, device)),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
});
