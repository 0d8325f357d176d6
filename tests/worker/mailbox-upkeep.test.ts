import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, expect, test, vi } from 'vitest';
import { HOUR_MS } from '#contract/durations.ts';
import { CLOSE_SIGNED_OUT, type RealtimeTicket } from '#contract/live-messages.ts';
import { getUserChannel } from '#durable/get-user-channel.ts';
import { call, ORIGIN } from './support/api.ts';
import {
  channelOf,
  connect,
  newPeople,
  type Somebody,
  settled,
  someMessage,
  takeTicket,
  upgrade,
} from './support/live.ts';
import { alarmOf } from './support/telling.ts';

const SECOND_MS = 1_000;
const THIRTY_DAYS_MS = 30 * 24 * HOUR_MS;

afterEach(() => vi.useRealTimers());

async function newPerson(): Promise<Somebody> {
  const [person] = await newPeople(1);
  if (!person) throw new Error('nobody');
  return person;
}

/** From here on the clock stands where the test puts it; timers run on. */
function setClock(time: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: time });
}

/** What lies in the person's object. */
function read(person: Somebody, query: string) {
  return runInDurableObject(channelOf(person), (_object, { storage }) => storage.sql.exec(query).toArray());
}

/** Asks the object as the Worker does for a ticket that it has verified. */
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

test('a ticket says that it lives for 30 seconds, and does: it opens a socket after 29 and none after 30', async () => {
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

test('a ticket that expired on its way from the Worker to the object opens nothing', async () => {
  const person = await newPerson();
  const now = Date.now();
  setClock(now);
  expect(await askObject(person, 'expired', now - 1)).toBe(401);
  expect(await askObject(person, 'just expired', now)).toBe(401);
  expect(await askObject(person, 'in time', now + 1)).toBe(101);
});

test('tickets that were used are forgotten once they have expired, and not before', async () => {
  const person = await newPerson();
  const now = Date.now();
  setClock(now);
  await askObject(person, 'first', now + 10_000);
  await askObject(person, 'second', now + 20_000);
  setClock(now + 10_000);
  expect(await askObject(person, 'second', now + 20_000)).toBe(401);
  expect(await read(person, 'SELECT id FROM used_tickets')).toEqual([{ id: 'second' }]);
});

test('of a notice that was acknowledged, or withdrawn, the mailbox keeps the id and no word', async () => {
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

/** A moment at which no alarm comes by itself. */
function stopClock(): number {
  const now = Date.parse('2031-01-15T12:00:00+03:00');
  setClock(now);
  return now;
}

test('a message waits for 30 days: to the last millisecond it is sent to whoever connects, and then it goes', async () => {
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

test('messages that expire within an hour of others go with the last of them', async () => {
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

test('the id of a message that was withdrawn before it came is kept for 30 days', async () => {
  const person = await newPerson();
  const now = stopClock();
  await channelOf(person).retract(['never-came']);
  expect(await alarmOf(person)).toBe(now + THIRTY_DAYS_MS);
  setClock(now + THIRTY_DAYS_MS);
  await runDurableObjectAlarm(channelOf(person));
  expect(await read(person, 'SELECT id FROM messages')).toEqual([]);
  expect(await alarmOf(person)).toBeNull();
});

test('an acknowledgement is reported within a minute; one of nothing, or a second one, wakes nobody', async () => {
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

test('a frame of 512 characters is read, and a longer one is not', async () => {
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

test('a socket is closed in the very moment in which its session ends', async () => {
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

test('the tickets of a session that ended are refused as long as one can be valid, and no longer kept', async () => {
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

test('an erased mailbox signs everybody out, keeps nothing, takes nothing, opens nothing, and is gone after 35 seconds', async () => {
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
