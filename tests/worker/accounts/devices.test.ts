import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Session } from '#contract/accounts.ts';
import { DAY_MS, HOUR_MS } from '#contract/durations.ts';
import { CLOSE_SIGNED_OUT } from '#contract/live-messages.ts';
import { call, newPerson, type Person, somePost } from '#tests/worker/support/api.ts';
import { countTrips } from '#tests/worker/support/count-trips.ts';
import { channelOf, connect, takeTicket, upgrade } from '#tests/worker/support/notices.ts';
import { devicesOf, signedIn } from '#tests/worker/support/people.ts';
import { captureLogs } from '#tests/worker/support/test-run.ts';
import { closeSockets, finishClosingSockets } from '#worker/accounts/sign-out.ts';
import { openDb } from '#worker/db/client.ts';
import { type Env, readConfig } from '#worker/env.ts';
import { verifySessionToken } from '#worker/identity/session-token.ts';
import { clearExpired } from '#worker/retention.ts';
import { sweep } from '#worker/sweep.ts';

describe('own devices', () => {
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

  /** Subscribes the session's browser to pushes. */
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

  test('each sign-in is listed as a device, named after its browser and operating system', async () => {
    const person = await newPerson();
    const phone = await signedIn(person);
    const other = await signedIn(person, 'curl/8.5.0');
    const devices = await devicesOf(phone);
    expect(devices.map(({ name }) => name).sort()).toEqual(['', 'Chrome, Android']);
    expect(devices.filter((device) => device.is_this)).toEqual([expect.objectContaining({ id: await idOf(phone) })]);
    expect((await devicesOf(other)).find(({ is_this }) => is_this)?.name).toBe('');
    expect((await devicesOf(person)).some(({ is_this }) => is_this)).toBe(false);
  });

  test('the next request of a signed-out device is refused, and this check takes no extra database call', async () => {
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

  test('logging out ends only the current session', async () => {
    const person = await newPerson();
    const [phone, laptop] = [await signedIn(person), await signedIn(person)];
    expect((await call('DELETE', '/api/me/devices/current', undefined, phone)).status).toBe(204);
    expect((await call('GET', '/api/me', undefined, phone)).status).toBe(401);
    expect((await call('GET', '/api/me', undefined, laptop)).status).toBe(200);
  });

  test('another person’s device cannot be signed out, and its existence is not revealed', async () => {
    const [person, stranger] = [await newPerson(), await newPerson()];
    const phone = await signedIn(person);
    const theirs = await call('DELETE', `/api/me/devices/${await idOf(phone)}`, undefined, stranger);
    const none = await call('DELETE', `/api/me/devices/${crypto.randomUUID()}`, undefined, stranger);
    expect([theirs.status, await theirs.text()]).toEqual([404, await none.text()]);
    expect(await statusOf(phone)).toBe(200);
  });

  test('a renewed session token belongs to the same device, and stops working when the device is signed out', async () => {
    const phone = await signedIn(await newPerson());
    const later = await renewed(phone);
    expect(later.token).not.toBe(phone.token);
    expect(await idOf(later)).toBe(await idOf(phone));
    expect([await statusOf(phone), await statusOf(later)]).toEqual([200, 200]);
    expect(await devicesOf(later)).toHaveLength(1);
    await call('DELETE', `/api/me/devices/${await idOf(phone)}`, undefined, phone);
    expect([await statusOf(phone), await statusOf(later)]).toEqual([401, 401]);
  });

  test('a person has at most fifty devices, and a further sign-in removes the oldest device', async () => {
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

  test('the stored time of a device’s last use is updated at most once an hour', async () => {
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

  test('the scheduled job closes the open sockets of a signed-out device, and stores the time of closing in the device’s row', async () => {
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

  test('closeSockets() marks a signed-out device’s sockets as closed only after a call that reaches the user’s mailbox object', async () => {
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

  test('a device unused for 180 days is signed out, and its row is deleted after its last token has expired', async () => {
    const person = await newPerson();
    const [phone, unused, ended] = [await signedIn(person), await signedIn(person), await signedIn(person)];
    const [phoneId, unusedId, endedId] = [await idOf(phone), await idOf(unused), await idOf(ended)];
    const now = Date.now();
    const change = (sets: string, id: string) =>
      env.DB.prepare(`update devices set ${sets} where id = ?`).bind(id).run();
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
    // The scheduled sweep deletes a session only after it has closed the session's sockets.
    await sweep(env, now + 2 * DAY_MS);
    expect(await left()).toEqual([phoneId, unusedId].sort());
    await sweep(env, now + 31 * DAY_MS);
    expect(await left()).toEqual([phoneId]);
  });

  test('when a session ends, the mailbox object deletes its records of sessions that ended earlier', async () => {
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
});

describe('upkeep of devices', () => {
  const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0';

  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  type Row = { created_at?: number; last_seen_at?: number; ended_at?: number; closed_at?: number };

  /** Inserts a device. @returns its id. */
  async function insertDevice(
    { id: userId }: Person,
    row: Row = {},
    id: string = crypto.randomUUID(),
  ): Promise<string> {
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

  test('devices are listed by last use, latest first; devices with an equal last use are listed by sign-in, latest first', async () => {
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

  test('a request updates the time of last use only for its own device, and at most once an hour', async () => {
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

  test('renewing a session token with another User-Agent header renames the device and updates the time of the device’s last use', async () => {
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

  test('a device’s name is deleted when the device is signed out', async () => {
    const person = await newPerson();
    const phone = await signedIn(person);
    const [device] = await devicesOf(phone);
    expect(device?.name).toBe('Chrome, Android');
    await call('DELETE', `/api/me/devices/${device?.id}`, undefined, phone);
    expect(await read(device?.id ?? '')).toMatchObject({ name: '', ended_at: expect.any(Number) });
  });

  test('signing in on a fifty-first device deletes a person’s oldest device; signed-out and other people’s devices do not count', async () => {
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

  test('the scheduled job closes the open sockets of devices signed out more than ten seconds ago', async () => {
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

  test('closing one person’s sockets leaves other people’s sockets open, and closing a deleted person’s sockets does nothing', async () => {
    const [person, other] = [await newPerson(), await newPerson()];
    const [own, theirs] = [await insertDevice(person, { ended_at: 1 }), await insertDevice(other, { ended_at: 1 })];
    await closeSockets(env, openDb(env), person.id);
    expect(await read(own)).toMatchObject({ closed_at: expect.any(Number) });
    expect(await read(theirs)).toMatchObject({ closed_at: null });
    const getByName = vi.fn();
    await closeSockets({ ...env, USER_CHANNEL: { getByName } } as unknown as Env, openDb(env), 'hakuna');
    expect(getByName).not.toHaveBeenCalled();
  });

  test('an unreachable mailbox object, which cannot close the sockets of a signed-out device, is logged', async () => {
    const logs = captureLogs();
    const person = await newPerson();
    await insertDevice(person, { ended_at: 1 });
    const USER_CHANNEL = { getByName: () => ({ endSessions: () => Promise.reject(new TypeError('unreachable')) }) };
    await closeSockets({ ...env, USER_CHANNEL } as unknown as Env, openDb(env), person.id);
    expect(logs.warn).toHaveBeenCalledWith({ event: 'sockets_not_closed', name: 'TypeError' });
  });

  test('a device unused for 180 days is signed out, and the device’s row is deleted 30 days later if all its sockets are closed', async () => {
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
});
