import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, expect, test, vi } from 'vitest';
import type { Session } from '#contract/accounts.ts';
import { DAY_MS, HOUR_MS } from '#contract/durations.ts';
import { CLOSE_SIGNED_OUT } from '#contract/live-messages.ts';
import { openDb } from '#worker/db/client.ts';
import { closeSockets } from '#worker/devices/index.ts';
import { readConfig } from '#worker/env.ts';
import { verifySessionToken } from '#worker/identity/session-token.ts';
import { sweep } from '#worker/sweep.ts';
import { call, newPerson, type Person, somePost } from './support/api.ts';
import { countTrips } from './support/count-trips.ts';
import { devicesOf, signedIn } from './support/devices.ts';
import { channelOf, connect, takeTicket, upgrade } from './support/live.ts';

afterEach(() => {
  vi.useRealTimers();
});

async function idOf(person: Person): Promise<string> {
  return (await verifySessionToken(readConfig(env).keys.session, person.token))?.sessionId ?? '';
}

const statusOf = async (person: Person) => (await call('GET', '/api/me', undefined, person)).status;
const renewed = async (person: Person): Promise<Person> => {
  const answer = await call('POST', '/api/me/token', undefined, person);
  return { ...person, token: (await answer.json<Session>()).access_token };
};

/** A push goes to the session's browser from here on. */
async function subscribe(session: Person): Promise<void> {
  const sessionId = await idOf(session);
  await env.DB.prepare(
    `insert into push_subscriptions (endpoint, id, user_id, session_id, p256dh, auth, put_at) values (?1, ?1, ?2, ?1, '', '', 1)`,
  )
    .bind(sessionId, session.id)
    .run();
}

async function subscribedSessions({ id }: Person): Promise<unknown[]> {
  const { results } = await env.DB.prepare('select session_id from push_subscriptions where user_id = ?')
    .bind(id)
    .all();
  return results.map(({ session_id }) => session_id);
}

test('each sign-in is a device, called by its browser and its system', async () => {
  const person = await newPerson();
  const phone = await signedIn(person);
  const other = await signedIn(person, 'curl/8.5.0');
  const devices = await devicesOf(phone);
  expect(devices.map(({ name }) => name).sort()).toEqual(['', 'Chrome, Android']);
  expect(devices.filter((device) => device.is_this)).toEqual([expect.objectContaining({ id: await idOf(phone) })]);
  expect((await devicesOf(other)).find(({ is_this }) => is_this)?.name).toBe('');
  expect((await devicesOf(person)).some(({ is_this }) => is_this)).toBe(false);
});

test('a device that is signed out can do nothing from then on, in no more round trips than before', async () => {
  const person = await newPerson();
  const [phone, lost] = [await signedIn(person), await signedIn(person)];
  const ticket = await takeTicket(lost);
  const [own, open] = [await connect(phone), await connect(lost)];
  const path = `/api/me/devices/${await idOf(lost)}`;
  for (const session of [phone, lost]) await subscribe(session);
  expect((await call('DELETE', path, undefined, phone)).status).toBe(204);
  await expect.poll(() => open.closed?.code).toBe(CLOSE_SIGNED_OUT);
  await expect.poll(() => subscribedSessions(person)).toEqual([await idOf(phone)]);
  expect((await upgrade(person.id, ticket)).status).toBe(401);
  expect(own.closed).toBeNull();
  const read = await countTrips('GET', '/api/me', lost);
  const written = await countTrips('POST', '/api/posts', { ...lost, body: somePost });
  expect([read, written].map(({ answer, trips }) => [answer.status, trips])).toEqual([
    [401, 1],
    [401, 1],
  ]);
  expect((await call('POST', '/api/me/token', undefined, lost)).status).toBe(401);
  expect((await call('POST', '/api/realtime/ticket', undefined, lost)).status).toBe(401);
  expect(await statusOf(phone)).toBe(200);
  expect((await devicesOf(phone)).map(({ id }) => id)).toEqual([await idOf(phone)]);
  expect((await call('DELETE', path, undefined, phone)).status).toBe(404);
});

test('logging out ends the session that asks, and no other', async () => {
  const person = await newPerson();
  const [phone, laptop] = [await signedIn(person), await signedIn(person)];
  expect((await call('DELETE', '/api/me/devices/current', undefined, phone)).status).toBe(204);
  expect((await call('GET', '/api/me', undefined, phone)).status).toBe(401);
  expect((await call('GET', '/api/me', undefined, laptop)).status).toBe(200);
});

test("another person's device is nobody's to sign out, and not said to be there", async () => {
  const [person, stranger] = [await newPerson(), await newPerson()];
  const phone = await signedIn(person);
  const theirs = await call('DELETE', `/api/me/devices/${await idOf(phone)}`, undefined, stranger);
  const none = await call('DELETE', `/api/me/devices/${crypto.randomUUID()}`, undefined, stranger);
  expect([theirs.status, await theirs.text()]).toEqual([404, await none.text()]);
  expect(await statusOf(phone)).toBe(200);
});

test('a renewed token is of the same device, and ends with it', async () => {
  const phone = await signedIn(await newPerson());
  const later = await renewed(phone);
  expect(later.token).not.toBe(phone.token);
  expect(await idOf(later)).toBe(await idOf(phone));
  expect([await statusOf(phone), await statusOf(later)]).toEqual([200, 200]);
  expect(await devicesOf(later)).toHaveLength(1);
  await call('DELETE', `/api/me/devices/${await idOf(phone)}`, undefined, phone);
  expect([await statusOf(phone), await statusOf(later)]).toEqual([401, 401]);
});

test('there are fifty devices, and the oldest makes room', async () => {
  const person = await newPerson();
  const oldest = await signedIn(person);
  const older = await signedIn(person);
  await env.DB.prepare('update devices set created_at = created_at - ?2 where user_id = ?1').bind(person.id, 1).run();
  await env.DB.prepare(
    `insert into devices (id, user_id, name, created_at, last_seen_at)
     select lower(hex(randomblob(16))), ?1, '', ?2, ?2 from json_each(?3)`,
  )
    .bind(person.id, Date.now(), JSON.stringify(Array.from({ length: 48 }, () => 0)))
    .run();
  const newest = await signedIn(person);
  expect(await devicesOf(newest)).toHaveLength(50);
  expect([await statusOf(oldest), await statusOf(older), await statusOf(newest)]).toEqual([401, 200, 200]);
});

test('that a device was used is written once an hour', async () => {
  const phone = await signedIn(await newPerson());
  const now = Date.now();
  const seenAt = async () => Date.parse((await devicesOf(phone))[0]?.last_seen_at ?? '');
  const first = await seenAt();
  vi.useFakeTimers({ toFake: ['Date'], now: now + HOUR_MS / 2 });
  expect(await seenAt()).toBe(first);
  vi.setSystemTime(now + 2 * HOUR_MS);
  await statusOf(phone);
  await expect.poll(seenAt).toBeGreaterThan(first + HOUR_MS);
  const second = await seenAt();
  vi.setSystemTime(now + 2.5 * HOUR_MS);
  await statusOf(phone);
  expect(await seenAt()).toBe(second);
});

test('the sweep closes the sockets that nobody came to close, once', async () => {
  const person = await newPerson();
  const [phone, lost] = [await signedIn(person), await signedIn(person)];
  const [own, open] = [await connect(phone), await connect(lost)];
  const before = Date.now() - 60_000;
  await env.DB.prepare('update devices set ended_at = ? where id = ?')
    .bind(before, await idOf(lost))
    .run();
  await sweep(env);
  await expect.poll(() => open.closed?.code).toBe(CLOSE_SIGNED_OUT);
  expect(own.closed).toBeNull();
  const isClosed = env.DB.prepare('select closed_at is not null as is_closed from devices where id = ?');
  expect(await isClosed.bind(await idOf(lost)).first('is_closed')).toBe(1);
});

test('an object that cannot be reached keeps its device among those that are to be told', async () => {
  const person = await newPerson();
  const [phone, lost] = [await signedIn(person), await signedIn(person)];
  await env.DB.prepare('update devices set ended_at = 1 where id = ?')
    .bind(await idOf(lost))
    .run();
  const unreachable = { getByName: () => ({ endSessions: () => Promise.reject(new Error('unreachable')) }) };
  await closeSockets({ ...env, USER_CHANNEL: unreachable as never }, openDb(env), person.id);
  const closedAt = () => env.DB.prepare('select closed_at from devices where id = ?').bind(lostId).first('closed_at');
  const lostId = await idOf(lost);
  expect(await closedAt()).toBeNull();
  await closeSockets(env, openDb(env), phone.id);
  expect(await closedAt()).not.toBeNull();
});

test('a device that was not used for 180 days ends, and what has ended is forgotten once its last token has expired', async () => {
  const person = await newPerson();
  const [phone, unused, ended] = [await signedIn(person), await signedIn(person), await signedIn(person)];
  const [phoneId, unusedId, endedId] = [await idOf(phone), await idOf(unused), await idOf(ended)];
  const now = Date.now();
  const change = (sets: string, id: string) => env.DB.prepare(`update devices set ${sets} where id = ?`).bind(id).run();
  await change(`last_seen_at = ${now - 181 * DAY_MS}`, unusedId);
  await change(`ended_at = ${now - 29 * DAY_MS}, closed_at = 1`, endedId);
  const left = async () => {
    const { results } = await env.DB.prepare('select id from devices where user_id = ?').bind(person.id).all();
    return results.map(({ id }) => id).sort();
  };
  await sweep(env, now);
  expect((await devicesOf(phone)).map(({ id }) => id)).toEqual([phoneId]);
  expect([await statusOf(unused), await statusOf(phone)]).toEqual([401, 200]);
  expect(await left()).toEqual([phoneId, unusedId, endedId].sort());
  // The sweep that closes its sockets comes before the one that forgets it.
  await sweep(env, now + 2 * DAY_MS);
  expect(await left()).toEqual([phoneId, unusedId].sort());
  await sweep(env, now + 31 * DAY_MS);
  expect(await left()).toEqual([phoneId]);
});

test('what the object keeps of a session that ended goes with the next one', async () => {
  const person = await newPerson();
  const endedIn = () =>
    runInDurableObject(channelOf(person), (_object, { storage }) =>
      storage.sql
        .exec('SELECT id FROM ended_sessions')
        .toArray()
        .map(({ id }) => id),
    );
  const now = Date.now();
  await channelOf(person).endSessions(['jana']);
  expect(await endedIn()).toEqual(['jana']);
  vi.useFakeTimers({ toFake: ['Date'], now: now + 60_000 });
  await channelOf(person).endSessions(['leo']);
  expect(await endedIn()).toEqual(['leo']);
});
