import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, expect, test, vi } from 'vitest';
import type { RealtimeTicket } from '#contract/live-messages.ts';
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
async function askObject({ id }: Somebody, ticketId: string, expiresAt: number): Promise<number> {
  const ticket = {
    userId: id,
    tokenVersion: 1,
    sessionId: 'hii',
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
