import { env } from 'cloudflare:workers';
import { afterEach, expect, test, vi } from 'vitest';
import { DAY_MS, HOUR_MS } from '#contract/durations.ts';
import { clearExpired } from '#worker/clear-expired.ts';
import { openDb } from '#worker/db/client.ts';
import { closeSockets, finishClosingSockets } from '#worker/devices/index.ts';
import type { Env } from '#worker/env.ts';
import { call, newPerson, type Person } from './support/api.ts';
import { captureLogs } from './support/capture-logs.ts';
import { devicesOf, signedIn } from './support/devices.ts';

const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

type Row = { created_at?: number; last_seen_at?: number; ended_at?: number; closed_at?: number };

/** A device as it stands in the database. @returns its id. */
async function insertDevice({ id: userId }: Person, row: Row = {}, id: string = crypto.randomUUID()): Promise<string> {
  const { created_at = 1, last_seen_at = Date.now(), ended_at = null, closed_at = null } = row;
  await env.DB.prepare(
    `insert into devices (id, user_id, name, created_at, last_seen_at, ended_at, closed_at)
     values (?, ?, '', ?, ?, ?, ?)`,
  )
    .bind(id, userId, created_at, last_seen_at, ended_at, closed_at)
    .run();
  return id;
}

const read = (id: string) =>
  env.DB.prepare('select name, last_seen_at, ended_at, closed_at from devices where id = ?').bind(id).first();

test('devices are listed with their times, most recently used first, then the newest', async () => {
  const person = await newPerson();
  const [day, later] = ['2026-11-01T00:00:00.000Z', '2026-11-02T00:00:00.000Z'];
  const at = (created: string, seen: string) => ({ created_at: Date.parse(created), last_seen_at: Date.parse(seen) });
  await insertDevice(person, at(day, day), 'c');
  await insertDevice(person, at(day, day), 'b');
  await insertDevice(person, at('2026-10-01T00:00:00.000Z', day), 'a');
  await insertDevice(person, at('2026-09-01T00:00:00.000Z', later), 'd');
  expect(await devicesOf(person)).toEqual([
    { id: 'd', name: '', created_at: '2026-09-01T00:00:00.000Z', last_seen_at: later, is_this: false },
    { id: 'b', name: '', created_at: day, last_seen_at: day, is_this: false },
    { id: 'c', name: '', created_at: day, last_seen_at: day, is_this: false },
    { id: 'a', name: '', created_at: '2026-10-01T00:00:00.000Z', last_seen_at: day, is_this: false },
  ]);
});

test('a device’s use is written when an hour has passed, and of no other device', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  const start = Date.now();
  const person = await newPerson();
  const phone = await signedIn(person);
  const unused = await insertDevice(person, { last_seen_at: start - 3 * HOUR_MS });
  const seenAt = async () => {
    const own = (await devicesOf(phone)).find(({ is_this }) => is_this);
    return Date.parse(own?.last_seen_at ?? '');
  };
  expect(await seenAt()).toBe(start);
  for (const later of [HOUR_MS - 1, HOUR_MS]) {
    vi.setSystemTime(start + later);
    await call('GET', '/api/me', undefined, phone);
  }
  expect(await seenAt()).toBe(start + HOUR_MS);
  expect(await read(unused)).toMatchObject({ last_seen_at: start - 3 * HOUR_MS });
});

test('a token that is renewed on another browser takes its name, and counts as used', async () => {
  const person = await newPerson();
  const phone = await signedIn(person);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
  const answer = await call('POST', '/api/me/token', undefined, { ...phone, headers: { 'User-Agent': WINDOWS } });
  expect(await answer.json()).toEqual({
    access_token: expect.any(String),
    token_type: 'bearer',
    user_id: person.id,
  });
  expect(await devicesOf(phone)).toMatchObject([
    { name: 'Firefox, Windows', last_seen_at: new Date().toISOString(), is_this: true },
  ]);
});

test('what a device was called is forgotten when it is signed out', async () => {
  const person = await newPerson();
  const phone = await signedIn(person);
  const [device] = await devicesOf(phone);
  expect(device?.name).toBe('Chrome, Android');
  await call('DELETE', `/api/me/devices/${device?.id}`, undefined, phone);
  expect(await read(device?.id ?? '')).toMatchObject({ name: '', ended_at: expect.any(Number) });
});

test('of fifty-one the one that came first goes; neither ended ones nor other people’s count', async () => {
  const [person, stranger] = [await newPerson(), await newPerson()];
  const theirs = await signedIn(stranger);
  const ids = Array.from({ length: 50 }, () => crypto.randomUUID());
  await env.DB.prepare(
    `insert into devices (id, user_id, name, created_at, last_seen_at)
     select value, ?1, '', 1, ?2 from json_each(?3)`,
  )
    .bind(person.id, Date.now(), JSON.stringify(ids))
    .run();
  const future = Date.now() + DAY_MS;
  for (let count = 0; count < 2; count++) {
    await insertDevice(person, { created_at: future, ended_at: 1, closed_at: 1 });
    await insertDevice(stranger, { created_at: future });
  }
  const newest = await signedIn(person);
  const left = (await devicesOf(newest)).map(({ id, is_this }) => (is_this ? 'newest' : id));
  expect(left.sort()).toEqual([...ids.slice(1), 'newest'].sort());
  expect(await devicesOf(theirs)).toHaveLength(3);
});

test('the sweep closes sockets of devices that were signed out more than ten seconds ago, if nobody has', async () => {
  const now = Date.now();
  const people: Record<string, Person> = {};
  for (const [name, row] of Object.entries({
    due: { ended_at: now - 10_001 },
    young: { ended_at: now - 10_000 },
    closed: { ended_at: 1, closed_at: 1 },
    live: {},
  })) {
    people[name] = await newPerson();
    await insertDevice(people[name], row);
  }
  const told: string[] = [];
  const getByName = (id: string) => {
    told.push(...Object.keys(people).filter((name) => people[name]?.id === id));
    return env.USER_CHANNEL.getByName(id);
  };
  await finishClosingSockets({ ...env, USER_CHANNEL: { getByName } } as unknown as Env, openDb(env), now);
  expect(told).toEqual(['due']);
});

test('closing one person’s sockets says nothing of another’s, and a person who is gone has none', async () => {
  const [person, other] = [await newPerson(), await newPerson()];
  const [own, theirs] = [await insertDevice(person, { ended_at: 1 }), await insertDevice(other, { ended_at: 1 })];
  await closeSockets(env, openDb(env), person.id);
  expect(await read(own)).toMatchObject({ closed_at: expect.any(Number) });
  expect(await read(theirs)).toMatchObject({ closed_at: null });
  const getByName = vi.fn();
  await closeSockets({ ...env, USER_CHANNEL: { getByName } } as unknown as Env, openDb(env), 'hakuna');
  expect(getByName).not.toHaveBeenCalled();
});

test('that a person’s object cannot be reached is logged', async () => {
  const logs = captureLogs();
  const person = await newPerson();
  await insertDevice(person, { ended_at: 1 });
  const USER_CHANNEL = { getByName: () => ({ endSessions: () => Promise.reject(new TypeError('unreachable')) }) };
  await closeSockets({ ...env, USER_CHANNEL } as unknown as Env, openDb(env), person.id);
  expect(logs.warn).toHaveBeenCalledWith({ event: 'sockets_not_closed', name: 'TypeError' });
});

test('a device ends after 180 days without use, to the millisecond, and is kept while its sockets may be open', async () => {
  const person = await newPerson();
  const now = Date.now();
  const used = await insertDevice(person, { last_seen_at: now - 180 * DAY_MS });
  const unused = await insertDevice(person, { last_seen_at: now - 180 * DAY_MS - 1 });
  const open = await insertDevice(person, { ended_at: now - 31 * DAY_MS });
  const past = await insertDevice(person, { ended_at: now - 30 * DAY_MS - 1, closed_at: 1 });
  const kept = await insertDevice(person, { ended_at: now - 30 * DAY_MS, closed_at: 1 });
  await clearExpired(openDb(env), now);
  expect(await read(used)).toMatchObject({ ended_at: null });
  expect(await read(unused)).toMatchObject({ ended_at: now });
  expect([await read(open), await read(past), await read(kept)]).toEqual([
    expect.objectContaining({ closed_at: null }),
    null,
    expect.objectContaining({ closed_at: 1 }),
  ]);
});
