import { createExecutionContext, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { HOUR_MS } from '#contract/durations.ts';
import type { ErrorBody } from '#contract/error-codes.ts';
import { CLOSE_SIGNED_OUT, type RealtimeTicket } from '#contract/live-messages.ts';
import { getUserChannel } from '#durable/get-user-channel.ts';
import { call, newPerson, ORIGIN, type Person } from '#tests/worker/support/api.ts';
import {
  deliver,
  deliverEmail,
  deliverPush,
  proveEmail,
  put,
  standInForEmail,
  standInForMeta,
  standInForPush,
  subscriptionsOf,
} from '#tests/worker/support/messages.ts';
import { passCalls } from '#tests/worker/support/mortal-env.ts';
import {
  alarmOf,
  channelOf,
  connect,
  emailJob,
  newPeople,
  newReachable,
  ring,
  type Somebody,
  settled,
  someMessage,
  surround,
  takeTicket,
  tellMatch,
  upgrade,
  whatsappJob,
} from '#tests/worker/support/notices.ts';
import { captureLogs } from '#tests/worker/support/test-run.ts';
import { app } from '#worker/app.ts';
import type { Env } from '#worker/env.ts';

describe('upkeep of mailboxes', () => {
  const SECOND_MS = 1_000;
  const THIRTY_DAYS_MS = 30 * 24 * HOUR_MS;

  afterEach(() => vi.useRealTimers());

  async function newPerson(): Promise<Somebody> {
    const [person] = await newPeople(1);
    if (!person) throw new Error('nobody');
    return person;
  }

  /** Stops the clock at the given time. Timers still run. */
  function setClock(time: number): void {
    vi.useFakeTimers({ toFake: ['Date'], now: time });
  }

  /** Queries the storage of the person's Durable Object. */
  function read(person: Somebody, query: string) {
    return runInDurableObject(channelOf(person), (_object, { storage }) => storage.sql.exec(query).toArray());
  }

  /** Sends the person's Durable Object the request that a Worker sends after it has verified a ticket. */
  async function askObject({ id }: Somebody, ticketId: string, expiresAt: number, sessionId = 'hii'): Promise<number> {
    const ticket = {
      userId: id,
      tokenVersion: 1,
      sessionId,
      ticketId,
      expiresAt,
      sessionEndsAt: Date.now() + 60_000,
    };
    const upgrading = new Request(`${ORIGIN}/ws/${id}`, { headers: { Upgrade: 'websocket' } });
    const answer = await getUserChannel(env, id).connect(ticket, upgrading);
    answer.webSocket?.accept();
    return answer.status;
  }

  test('a socket ticket still opens a socket 29 seconds after its issue, and is refused after 30 seconds', async () => {
    const person = await newPerson();
    const now = Date.now();
    setClock(now);
    const answer = await call('POST', '/api/realtime/ticket', undefined, person);
    expect(await answer.json<RealtimeTicket>()).toEqual({ ticket: expect.any(String), expires_in: 30 });
    const [early, late] = [await takeTicket(person), await takeTicket(person)];
    setClock(now + 29_000);
    const opened = await upgrade(person.id, early);
    opened.webSocket?.accept();
    setClock(now + 30_000);
    const refused = await upgrade(person.id, late);
    expect([opened.status, refused.status]).toEqual([101, 401]);
  });

  test('a socket ticket that expires on its way from the Worker to the mailbox object opens no socket', async () => {
    const person = await newPerson();
    const now = Date.now();
    setClock(now);
    expect(await askObject(person, 'expired', now - 1)).toBe(401);
    expect(await askObject(person, 'just expired', now)).toBe(401);
    expect(await askObject(person, 'in time', now + 1)).toBe(101);
  });

  test('used socket tickets are stored until they expire, so that no ticket is used twice, and are then deleted', async () => {
    const person = await newPerson();
    const now = Date.now();
    setClock(now);
    await askObject(person, 'first', now + 10_000);
    await askObject(person, 'second', now + 20_000);
    setClock(now + 10_000);
    expect(await askObject(person, 'second', now + 20_000)).toBe(401);
    expect(await read(person, 'SELECT id FROM used_tickets')).toEqual([{ id: 'second' }]);
  });

  test('a mailbox deletes the text of an acknowledged or withdrawn notice, and keeps only the notice’s id', async () => {
    const person = await newPerson();
    const [seen, withdrawn, waiting] = [someMessage(), someMessage(), someMessage()];
    await channelOf(person).deliver([seen, withdrawn, waiting]);
    const live = await connect(person);
    live.acknowledge(seen.id);
    await settled(live);
    await channelOf(person).retract([withdrawn.id]);
    expect(await read(person, 'SELECT id, body FROM messages ORDER BY rowid')).toEqual([
      { id: seen.id, body: '' },
      { id: withdrawn.id, body: '' },
      { id: waiting.id, body: JSON.stringify(waiting) },
    ]);
  });

  /** Stops the clock at a time at which no alarm fires. */
  function stopClock(): number {
    const now = Date.parse('2031-01-15T12:00:00+03:00');
    setClock(now);
    return now;
  }

  test('an unacknowledged message is sent each time the person connects, and is deleted after 30 days', async () => {
    const now = stopClock();
    const person = await newPerson();
    const message = someMessage();
    await channelOf(person).deliver([message]);
    expect(await alarmOf(person)).toBe(now + THIRTY_DAYS_MS);
    await read(person, `UPDATE messages SET stored_at = ${now + 1 - THIRTY_DAYS_MS}`);
    const early = await connect(person);
    await settled(early);
    setClock(now + 1);
    const late = await connect(person);
    await settled(late);
    expect([early.messages, late.messages]).toEqual([[message], []]);
    await runDurableObjectAlarm(channelOf(person));
    expect(await read(person, 'SELECT id FROM messages')).toEqual([]);
  });

  test('after an alarm has deleted a message, the next alarm comes an hour later, even if another message expires sooner', async () => {
    const person = await newPerson();
    const now = stopClock();
    await channelOf(person).deliver([someMessage()]);
    setClock(now + 10 * 60 * SECOND_MS);
    await channelOf(person).deliver([someMessage()]);
    setClock(now + THIRTY_DAYS_MS);
    await runDurableObjectAlarm(channelOf(person));
    expect(await read(person, 'SELECT count(*) AS count FROM messages')).toEqual([{ count: 1 }]);
    expect(await alarmOf(person)).toBe(now + THIRTY_DAYS_MS + HOUR_MS);
  });

  test('if a notice is withdrawn before its delivery, the mailbox stores the notice’s id for 30 days', async () => {
    const person = await newPerson();
    const now = stopClock();
    await channelOf(person).retract(['never-came']);
    expect(await alarmOf(person)).toBe(now + THIRTY_DAYS_MS);
    setClock(now + THIRTY_DAYS_MS);
    await runDurableObjectAlarm(channelOf(person));
    expect(await read(person, 'SELECT id FROM messages')).toEqual([]);
    expect(await alarmOf(person)).toBeNull();
  });

  test('the first acknowledgement of a notice sets the mailbox’s alarm to one minute later; a repeated one sets no alarm', async () => {
    const person = await newPerson();
    const now = stopClock();
    const message = someMessage();
    await channelOf(person).deliver([message]);
    const acknowledge = (id: string) =>
      runInDurableObject(channelOf(person), async (object, { storage }) => {
        await storage.deleteAlarm();
        await object.webSocketMessage({} as WebSocket, JSON.stringify({ type: 'ack', id }));
        return storage.getAlarm();
      });
    expect(await acknowledge('never-came')).toBeNull();
    expect(await acknowledge(message.id)).toBe(now + 60 * SECOND_MS);
    expect(await acknowledge(message.id)).toBeNull();
  });

  test('a socket frame of 512 characters is processed, and a longer frame is ignored', async () => {
    const person = await newPerson();
    const [long, longer] = [someMessage(), someMessage()];
    await channelOf(person).deliver([long, longer]);
    const live = await connect(person);
    const send = ({ id }: { id: string }, length: number) =>
      live.socket.send(JSON.stringify({ type: 'ack', id }).padEnd(length));
    send(longer, 513);
    send(long, 512);
    await expect.poll(() => channelOf(person).listWaiting([long.id, longer.id])).toEqual([longer.id]);
  });

  test('a socket closes at the moment when its session ends', async () => {
    const person = await newPerson();
    const now = stopClock();
    await askObject(person, 'a ticket', now + SECOND_MS);
    const [socket] = await runInDurableObject(channelOf(person), (_object, state) => {
      return state.getWebSockets().map((one) => one.deserializeAttachment() as { sessionEndsAt: number });
    });
    expect(await alarmOf(person)).toBe(socket?.sessionEndsAt);
    const states = () =>
      runInDurableObject(channelOf(person), (_object, state) => state.getWebSockets().map((one) => one.readyState));
    setClock(now + 60 * SECOND_MS - 1);
    await runDurableObjectAlarm(channelOf(person));
    expect(await states()).toEqual([WebSocket.OPEN]);
    setClock(now + 60 * SECOND_MS);
    await runDurableObjectAlarm(channelOf(person));
    expect(await states()).not.toContain(WebSocket.OPEN);
  });

  test('a mailbox remembers an ended session for 35 seconds, and refuses the session’s socket tickets during this time', async () => {
    const person = await newPerson();
    const now = stopClock();
    await channelOf(person).endSessions(['jana']);
    const later = now + 35 * SECOND_MS;
    expect(await read(person, 'SELECT * FROM ended_sessions')).toEqual([{ id: 'jana', expires_at: later }]);
    expect(await askObject(person, 'late', later, 'jana')).toBe(401);
    expect(await askObject(person, 'other', later, 'leo')).toBe(101);
    setClock(later - 1);
    await channelOf(person).endSessions([]);
    expect(await read(person, 'SELECT id FROM ended_sessions')).toEqual([{ id: 'jana' }]);
    setClock(later);
    await channelOf(person).endSessions([]);
    expect(await read(person, 'SELECT id FROM ended_sessions')).toEqual([]);
  });

  test('an erased mailbox closes its sockets, stores no new notices, refuses socket tickets, and deletes its tables after 35 seconds', async () => {
    const person = await newPerson();
    const [seen, waiting] = [someMessage(), someMessage()];
    const live = await connect(person);
    await channelOf(person).deliver([seen, waiting]);
    live.acknowledge(seen.id);
    await settled(live);
    const now = stopClock();
    await channelOf(person).endSessions(['jana']);
    await channelOf(person).erase();
    await expect.poll(() => live.closed).toEqual({ code: CLOSE_SIGNED_OUT, reason: 'signed out' });
    await channelOf(person).deliver([someMessage()]);
    await channelOf(person).retract(['never-came']);
    const counts = ['messages', 'used_tickets', 'ended_sessions', 'turns', 'acknowledgements'].map(
      (table) => `(SELECT count(*) FROM ${table})`,
    );
    expect(await read(person, `SELECT ${counts.join(' + ')} AS count`)).toEqual([{ count: 0 }]);
    const due = now + 35 * SECOND_MS;
    expect(await askObject(person, 'late', due + SECOND_MS)).toBe(401);
    expect(await alarmOf(person)).toBe(due);
    setClock(due - 1);
    await runDurableObjectAlarm(channelOf(person));
    expect(await alarmOf(person)).toBe(due);
    setClock(due);
    await runDurableObjectAlarm(channelOf(person));
    const tables = await read(person, "SELECT name FROM sqlite_master WHERE name = 'messages'");
    expect([tables, await alarmOf(person)]).toEqual([[], null]);
  });
});

describe('many requests for socket tickets', () => {
  function takeTicket({ token }: Person, isCalm: boolean) {
    const TICKETS = { limit: async () => ({ success: isCalm }) };
    const bindings = { ...env, TICKETS } as unknown as Env;
    const init = { method: 'POST', headers: { Authorization: `Bearer ${token}` } };
    return app.request(`${ORIGIN}/api/realtime/ticket`, init, bindings, createExecutionContext());
  }

  test('requests beyond a Cloudflare location’s limit get 503 with different Retry-After times of at most thirty seconds', async () => {
    captureLogs();
    const person = await newPerson();
    const answers = await Promise.all(Array.from({ length: 60 }, () => takeTicket(person, false)));
    const seconds = answers.map(({ headers }) => Number(headers.get('Retry-After')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    expect(await answers[0]?.json<ErrorBody>()).toMatchObject({ code: 'unavailable' });
    expect(seconds.every((one) => Number.isInteger(one) && one >= 1 && one <= 30)).toBe(true);
    expect(new Set(seconds).size).toBeGreaterThan(10);
    expect((await takeTicket(person, true)).status).toBe(200);
  });

  test('one person’s flood of requests does not use up the limit of their Cloudflare location', async () => {
    const person = await newPerson();
    let asked = 0;
    const WRITES_OF_PERSON = { limit: async () => ({ success: false }) };
    const TICKETS = { limit: async () => ({ success: ++asked > 0 }) };
    const bindings = { ...env, WRITES_OF_PERSON, TICKETS } as unknown as Env;
    const init = { method: 'POST', headers: { Authorization: `Bearer ${person.token}` } };
    const answer = await app.request(`${ORIGIN}/api/realtime/ticket`, init, bindings, createExecutionContext());
    expect([answer.status, asked]).toEqual([429, 0]);
  });

  test('the rate limit of a Cloudflare location allows at least a thousand requests in ten seconds', async () => {
    let count = 0;
    for (let isCalm = true; isCalm && count < 2_000; ) {
      const answers = await Promise.all(Array.from({ length: 100 }, () => env.TICKETS.limit({ key: 'a location' })));
      count += answers.filter(({ success }) => success).length;
      isCalm = answers.every(({ success }) => success);
    }
    // More requests are accepted if the limiter's ten seconds end during the test.
    expect(count).toBeGreaterThanOrEqual(1_000);
  });
});

describe('recorded steps of a notice', () => {
  const STEPS = ['acknowledged_at', 'pushed_at', 'whatsapp_at', 'emailed_at', 'read_at', 'dismissed_at'] as const;
  type Step = (typeof STEPS)[number];

  beforeEach(async () => {
    captureLogs();
    await env.DB.exec('delete from whatsapp_pauses');
  });
  afterEach(() => vi.unstubAllGlobals());

  /** The time of each recorded step of the notice. */
  async function readSteps(noticeId: string): Promise<Partial<Record<Step, number>>> {
    const row = await env.DB.prepare(`select ${STEPS.join()} from notices where id = ?`)
      .bind(noticeId)
      .first<Record<Step, number | null>>();
    return Object.fromEntries(Object.entries(row ?? {}).filter(([, time]) => time !== null)) as Partial<
      Record<Step, number>
    >;
  }

  async function listSteps(noticeId: string): Promise<string[]> {
    return Object.keys(await readSteps(noticeId));
  }

  /** Opens a socket of the person, acknowledges the notice on the socket twice, and closes the socket. */
  async function acknowledge(person: Person, noticeId: string): Promise<void> {
    const live = await connect(person);
    live.acknowledge(noticeId);
    live.acknowledge(noticeId);
    await settled(live);
    live.socket.close();
  }

  async function sendPushes(person: Person, noticeId: string, change = {}): Promise<void> {
    for (const { id: subscriptionId } of await subscriptionsOf(person)) {
      const job = { kind: 'push' as const, userId: person.id, noticeId, subscriptionId, isSilent: false };
      expect((await deliverPush({ ...env, ...change }, job)).isAcked).toBe(true);
    }
  }

  async function sendWhatsapp(person: Person, noticeId: string): Promise<void> {
    const meta = standInForMeta({ WHATSAPP_APP_SECRET: 'x', WHATSAPP_MATCH_TEMPLATE: 'match_notice' });
    await deliver(meta.env, whatsappJob(person, [noticeId]), { queue: 'patikana-notice-whatsapp' });
  }

  test('each step of a notice, such as its push or its reading, is recorded with the time at which it first happened', async () => {
    const person = await newReachable();
    await proveEmail(person);
    const id = await tellMatch(person);
    expect(await listSteps(id)).toEqual([]);

    const push = standInForPush();
    for (let browsers = 0; browsers < 2; browsers++) await put(push.service.subscribe(), person);
    const taken: [step: Step, take: () => Promise<unknown>][] = [
      ['pushed_at', () => sendPushes(person, id)],
      ['whatsapp_at', () => sendWhatsapp(person, id)],
      ['emailed_at', () => deliverEmail(standInForEmail().env, emailJob(person, [id]))],
      ['acknowledged_at', () => acknowledge(person, id).then(() => ring(person))],
      ['read_at', () => call('POST', '/api/notices/read', { ids: [id] }, person)],
      ['dismissed_at', () => call('POST', `/api/notices/${id}/dismiss`, undefined, person)],
    ];
    for (const [index, [, take]] of taken.entries()) {
      await take();
      const steps = await readSteps(id);
      expect(Object.keys(steps).sort()).toEqual(
        taken
          .slice(0, index + 1)
          .map(([step]) => step)
          .sort(),
      );
      await take();
      expect(await readSteps(id)).toEqual(steps);
    }
  });

  test('if one of three notices in an e-mail is read before the e-mail is sent, only the two others are recorded as e-mailed', async () => {
    const person = await newReachable();
    await proveEmail(person);
    const ids = [await tellMatch(person), await tellMatch(person), await tellMatch(person)];
    await call('POST', '/api/notices/read', { ids: ids.slice(1, 2) }, person);
    await deliverEmail(standInForEmail().env, emailJob(person, ids));
    expect(await Promise.all(ids.map(listSteps))).toEqual([['emailed_at'], ['read_at'], ['emailed_at']]);
  });

  test('the mailbox repeats the write of an acknowledgement to the database until the write succeeds', async () => {
    const person = await newReachable();
    const id = await tellMatch(person);
    await acknowledge(person, id);
    expect(await alarmOf(person)).toBeLessThanOrEqual(Date.now() + 60_000);
    let asked = 0;
    await surround(person, ({ recordAcknowledged }) => ({
      async recordAcknowledged(acknowledged) {
        asked++;
        if (asked === 2) await recordAcknowledged(acknowledged);
        throw new Error('D1_ERROR: Network connection lost.');
      },
    }));
    await ring(person);
    expect(await listSteps(id)).toEqual([]);
    await ring(person);
    expect(await listSteps(id)).toEqual(['acknowledged_at']);
    await surround(person, () => ({ recordAcknowledged: async () => void asked++ }));
    await ring(person);
    await ring(person);
    expect(asked).toBe(3);
  });

  test('an acknowledgement that arrives while the mailbox writes earlier acknowledgements to the database is written next', async () => {
    const person = await newReachable();
    const [first, second] = [await tellMatch(person), await tellMatch(person)];
    await acknowledge(person, first);
    const reported: string[] = [];
    await surround(person, () => ({
      async recordAcknowledged(acknowledged) {
        reported.push(...Object.keys(acknowledged));
        if (reported.length === 1) await acknowledge(person, second);
      },
    }));
    await ring(person);
    expect(reported).toEqual([first, second]);
  });

  test('a push that was sent but cannot be recorded is not sent again', async () => {
    const person = await newReachable();
    const id = await tellMatch(person);
    const push = standInForPush();
    await put(push.service.subscribe(), person);
    const DB = passCalls(env.DB, (act) => {
      if (push.requests.length > 0) throw new Error('D1_ERROR: D1 DB is overloaded. Too many requests queued.');
      return act();
    });
    await sendPushes(person, id, { DB });
    expect(push.requests).toHaveLength(1);
    expect(await listSteps(id)).toEqual([]);
  });
});
