import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { SOCKETS_PER_USER_MAX } from '#contract/limits.ts';
import { CLOSE_CROWDED_OUT, CLOSE_SIGNED_OUT } from '#contract/live-messages.ts';
import { MESSAGE_LIFETIME_MS } from '#durable/mailbox.ts';
import { migrate } from '#durable/migrations.ts';
import { call, ORIGIN } from '#tests/worker/support/api.ts';
import {
  channelOf,
  connect,
  type LiveSocket,
  newPeople,
  settled,
  someMessage,
  takeTicket,
  upgrade,
} from '#tests/worker/support/notices.ts';
import { readConfig } from '#worker/env.ts';
import { signTicket } from '#worker/identity/session-token.ts';

async function newPerson() {
  const [person] = await newPeople(1);
  if (!person) throw new Error('nobody');
  return person;
}

const ids = (live: { messages: { id: string }[] }) => live.messages.map((message) => message.id);

test('a message reaches every open socket of its recipient, and no socket of another person', async () => {
  const [owner, stranger] = [await newPerson(), await newPerson()];
  const [phone, laptop, other] = [await connect(owner), await connect(owner), await connect(stranger)];
  const message = someMessage();
  await channelOf(owner).deliver([message]);
  await expect.poll(() => phone.messages).toEqual([message]);
  await expect.poll(() => laptop.messages).toEqual([message]);
  await settled(other);
  expect(other.messages).toEqual([]);
});

test('a message that is delivered to the mailbox twice is sent to the person’s sockets only once', async () => {
  const person = await newPerson();
  const live = await connect(person);
  const message = someMessage();
  await Promise.all([channelOf(person).deliver([message]), channelOf(person).deliver([message, message])]);
  await settled(live);
  expect(live.messages).toEqual([message]);
});

test('unacknowledged messages are sent again at each connection, oldest first, until one of the person’s clients acknowledges them', async () => {
  const person = await newPerson();
  const [first, second, third] = [someMessage(), someMessage(), someMessage()];
  await channelOf(person).deliver([first]);
  await channelOf(person).deliver([second, third]);
  const one = await connect(person);
  await settled(one);
  expect(ids(one)).toEqual([first.id, second.id, third.id]);
  one.acknowledge(second.id);
  await settled(one);
  const two = await connect(person);
  await settled(two);
  expect(ids(two)).toEqual([first.id, third.id]);
});

test('if an acknowledged message is delivered to the mailbox a second time, it is not sent to any socket', async () => {
  const person = await newPerson();
  const message = someMessage();
  const live = await connect(person);
  await channelOf(person).deliver([message]);
  live.acknowledge(message.id);
  await settled(live);
  await channelOf(person).deliver([message]);
  await settled(live);
  expect(ids(live)).toEqual([message.id]);
  const next = await connect(person);
  await settled(next);
  expect(next.messages).toEqual([]);
});

test('each socket that connects while messages are being delivered gets every message exactly once', async () => {
  const person = await newPerson();
  const messages = Array.from({ length: 20 }, () => someMessage());
  const tickets = await Promise.all(messages.slice(0, 10).map(() => takeTicket(person)));
  expect(new Set(tickets).size).toBe(10);
  const [lives] = await Promise.all([
    Promise.all(tickets.map(() => connect(person))),
    ...messages.map((message) => channelOf(person).deliver([message])),
  ]);
  for (const live of lives) {
    await settled(live);
    expect(ids(live).sort()).toEqual(messages.map((message) => message.id).sort());
  }
});

test('a socket accepted while a message is being delivered gets the message once', async () => {
  const person = await newPerson();
  const message = someMessage();
  const frames: string[] = [];
  const soon = `${Date.now() + 9_000}`;
  const ticket = new URLSearchParams({ ticketId: 'tiketi', expiresAt: soon, sessionEndsAt: soon });
  await runInDurableObject(channelOf(person), async (object) => {
    const delivery = object.deliver([message]);
    const answer = await object.fetch(
      new Request(`https://user-channel/?${ticket}`, { headers: { Upgrade: 'websocket' } }),
    );
    answer.webSocket?.addEventListener('message', ({ data }) => frames.push(String(data)));
    answer.webSocket?.accept();
    await delivery;
    answer.webSocket?.send('ping');
    await expect.poll(() => frames).toContain('pong');
  });
  expect(frames.filter((frame) => frame !== 'pong')).toEqual([JSON.stringify(message)]);
});

test('a withdrawn message is not sent again, and is not stored if it reaches the mailbox after its withdrawal', async () => {
  const person = await newPerson();
  const [early, late] = [someMessage(), someMessage()];
  await channelOf(person).deliver([early]);
  await channelOf(person).retract([early.id, late.id]);
  await channelOf(person).deliver([early, late]);
  const live = await connect(person);
  await settled(live);
  expect(live.messages).toEqual([]);
});

test('open sockets and their unacknowledged messages survive the eviction of the mailbox object', async () => {
  const person = await newPerson();
  const live = await connect(person);
  const [before, after] = [someMessage(), someMessage()];
  await channelOf(person).deliver([before]);
  await settled(live);
  await evictDurableObject(channelOf(person));
  live.acknowledge(before.id);
  await channelOf(person).deliver([after]);
  await expect.poll(() => ids(live)).toEqual([before.id, after.id]);
  expect(live.closed).toBeNull();
  await evictDurableObject(channelOf(person));
  await settled(live);
  const next = await connect(person);
  await settled(next);
  expect(ids(next)).toEqual([after.id]);
});

test('a ping is answered without waking the mailbox object', async () => {
  const person = await newPerson();
  const live = await connect(person);
  await evictDurableObject(channelOf(person));
  await settled(live);
  // The Durable Object is not running: only a running one can be evicted.
  await expect(evictDurableObject(channelOf(person))).rejects.toThrow();
});

test('one alarm deletes all messages, and ids of withdrawn messages, that are older than 30 days', async () => {
  const person = await newPerson();
  const channel = channelOf(person);
  const [old, young] = [someMessage(), someMessage()];
  await channel.deliver([old]);
  const firstAlarm = await runInDurableObject(channel, (_object, state) => state.storage.getAlarm());
  expect(firstAlarm).toBeGreaterThan(Date.now() + MESSAGE_LIFETIME_MS - 60_000);
  await runInDurableObject(channel, (_object, { storage }) => {
    storage.sql.exec('UPDATE messages SET stored_at = stored_at - ?', MESSAGE_LIFETIME_MS);
  });
  const live = await connect(person);
  await channel.deliver([young]);
  await settled(live);
  expect(ids(live)).toEqual([young.id]);
  expect(await runDurableObjectAlarm(channel)).toBe(true);
  const left = await runInDurableObject(channel, async (_object, { storage }) => ({
    ids: storage.sql.exec('SELECT id FROM messages').toArray(),
    alarm: await storage.getAlarm(),
  }));
  expect(left.ids).toEqual([{ id: young.id }]);
  expect(left.alarm).toBeGreaterThan(Date.now());
});

test('a mailbox that has become empty sets no further alarm', async () => {
  const person = await newPerson();
  const channel = channelOf(person);
  await channel.deliver([someMessage()]);
  await runInDurableObject(channel, (_object, { storage }) => {
    storage.sql.exec('UPDATE messages SET stored_at = 0');
  });
  expect(await runDurableObjectAlarm(channel)).toBe(true);
  expect(await runInDurableObject(channel, (_object, { storage }) => storage.getAlarm())).toBeNull();
});

test('the mailbox object refuses a list of migrations that lacks or renames a migration that the object has already run', async () => {
  const channel = env.USER_CHANNEL.getByName('a mailbox of the future');
  const run = runInDurableObject(channel, (_object, { storage }) => migrate(storage, [{ id: '001_other', sql: '' }]));
  await expect(run).rejects.toThrow('append-only');
});

test('ending a session closes its sockets with code 4401, makes its socket tickets invalid, and does not affect other sessions', async () => {
  const { id } = await newPerson();
  const [ended, other] = [await connectFor(60, { id }), await connectFor(60, { id }, 'nyingine')];
  const ticket = await ticketFor(60, { id });
  await channelOf({ id }).endSessions(['hii']);
  await expect.poll(() => ended.closed).toEqual([[CLOSE_SIGNED_OUT, 'signed out']]);
  expect((await upgrade(id, ticket)).status).toBe(401);
  expect((await upgrade(id, await ticketFor(60, { id }, 'nyingine'))).status).toBe(101);
  expect(other.closed).toEqual([]);
});

const endIn = (seconds: number): number => (Math.floor(Date.now() / 1000) + seconds) * 1000;

function ticketFor(seconds: number, { id }: { id: string }, sessionId = 'hii'): Promise<string> {
  const viewer = { userId: id, tokenVersion: 1, sessionId, sessionEndsAt: endIn(seconds) };
  return signTicket(readConfig(env).keys.session, viewer, 30);
}

/** Connects with a session that expires in this many seconds. */
async function connectFor(seconds: number, { id }: { id: string }, sessionId = 'hii') {
  const sessionEndsAt = endIn(seconds);
  const ticket = await ticketFor(seconds, { id }, sessionId);
  const { webSocket } = await upgrade(id, ticket);
  const closed: [code: number, reason: string][] = [];
  webSocket?.addEventListener('close', ({ code, reason }) => {
    closed.push([code, reason]);
  });
  webSocket?.accept();
  return { closed, sessionEndsAt };
}

const alarmOf = (person: { id: string }) =>
  runInDurableObject(channelOf(person), (_object, { storage }) => storage.getAlarm());

test('a socket is closed with code 4401 when its session ends, even if the mailbox object is asleep', async () => {
  const person = await newPerson();
  const long = await connectFor(3_600, person);
  expect(await alarmOf(person)).toBe(long.sessionEndsAt);
  const short = await connectFor(2, person);
  const longest = await connectFor(7_200, person);
  await channelOf(person).deliver([someMessage()]);
  expect(await alarmOf(person)).toBe(short.sessionEndsAt);
  await evictDurableObject(channelOf(person));
  await expect.poll(() => short.closed, { timeout: 20_000 }).toEqual([[CLOSE_SIGNED_OUT, 'session expired']]);
  expect(Date.now()).toBeGreaterThanOrEqual(short.sessionEndsAt);
  await expect.poll(() => alarmOf(person)).toBe(long.sessionEndsAt);
  expect([...long.closed, ...longest.closed]).toEqual([]);
});

test('a mailbox sets its alarm to the next session end or message expiry, whichever comes first', async () => {
  const person = await newPerson();
  await channelOf(person).deliver([someMessage()]);
  const { sessionEndsAt } = await connectFor(3_600, person);
  await runInDurableObject(channelOf(person), (_object, { storage }) => {
    storage.sql.exec('UPDATE messages SET stored_at = stored_at - ?', MESSAGE_LIFETIME_MS / 2);
  });
  expect(await runDurableObjectAlarm(channelOf(person))).toBe(true);
  expect(await alarmOf(person)).toBe(sessionEndsAt);
  await runInDurableObject(channelOf(person), (_object, state) => {
    for (const socket of state.getWebSockets()) socket.close(1000, 'gone');
  });
  await runDurableObjectAlarm(channelOf(person));
  const alarm = await alarmOf(person);
  expect(alarm).toBeGreaterThan(Date.now() + MESSAGE_LIFETIME_MS / 2 - 60_000);
  expect(alarm).toBeLessThanOrEqual(Date.now() + MESSAGE_LIFETIME_MS / 2);
});

test('a socket ticket is refused once its session has ended', async () => {
  const person = await newPerson();
  const sessionEndsAt = (Math.floor(Date.now() / 1000) - 1) * 1000;
  const ticket = await signTicket(
    readConfig(env).keys.session,
    { userId: person.id, tokenVersion: 1, sessionId: 'hii', sessionEndsAt },
    30,
  );
  expect((await upgrade(person.id, ticket)).status).toBe(401);
});

test('a socket ticket opens only one socket, even if it is used many times concurrently', async () => {
  const person = await newPerson();
  const ticket = await takeTicket(person);
  const answers = await Promise.all(Array.from({ length: 8 }, () => upgrade(person.id, ticket)));
  for (const answer of answers) answer.webSocket?.accept();
  expect(answers.map((answer) => answer.status).sort()).toEqual([101, ...Array(7).fill(401)]);
  expect((await upgrade(person.id, ticket)).status).toBe(401);
});

test('the response that opens a socket names the subprotocol, and does not repeat the socket ticket', async () => {
  const person = await newPerson();
  const answer = await upgrade(person.id, await takeTicket(person));
  expect(answer.headers.get('Sec-WebSocket-Protocol')).toBe('patikana.v1');
  answer.webSocket?.accept();
});

test('a person’s socket is opened only with this person’s valid ticket, our origin and an Upgrade header', async () => {
  const [person, stranger] = [await newPerson(), await newPerson()];
  const status = async (answer: Promise<Response>) => {
    const { status, headers } = await answer;
    return { status, type: headers.get('Content-Type')?.split(';')[0] };
  };
  const refusal = (code: number) => ({ status: code, type: 'application/json' });
  expect(await status(upgrade(person.id, null))).toEqual(refusal(401));
  expect(await status(upgrade(person.id, 'nonsense'))).toEqual(refusal(401));
  expect(await status(upgrade(person.id, person.token))).toEqual(refusal(401));
  expect(await status(upgrade(person.id, await takeTicket(stranger)))).toEqual(refusal(403));
  const foreign = { Origin: 'https://elsewhere.example' };
  expect(await status(upgrade(person.id, await takeTicket(person), foreign))).toEqual(refusal(403));
  expect(await status(call('GET', `/ws/${person.id}`))).toEqual(refusal(426));
  expect(await status(call('POST', '/api/realtime/ticket'))).toEqual(refusal(401));
  const own = await upgrade(person.id, await takeTicket(person), { Origin: ORIGIN, Upgrade: 'WebSocket' });
  own.webSocket?.accept();
  expect(own.status).toBe(101);
});

test('a socket ticket is not accepted as a session token', async () => {
  const person = await newPerson();
  const answer = await call('GET', '/api/notices', undefined, { token: await takeTicket(person) });
  expect(answer.status).toBe(401);
});

test('malformed, unknown and huge socket frames are ignored', async () => {
  const person = await newPerson();
  const live = await connect(person);
  const message = someMessage();
  await channelOf(person).deliver([message]);
  const frames = [
    '',
    'null',
    '{',
    '[]',
    '"ack"',
    '{"type":"ack"}',
    '{"type":"ack","id":7}',
    '{"type":"nope","id":"x"}',
  ];
  for (const frame of [...frames, JSON.stringify({ type: 'ack', id: 'x'.repeat(65) }), 'x'.repeat(1024 * 1024)])
    live.socket.send(frame);
  live.socket.send(new Uint8Array(2048));
  live.acknowledge('an-id-that-never-was');
  await settled(live);
  expect(live.closed).toBeNull();
  const next = await connect(person);
  await settled(next);
  expect(ids(next)).toEqual([message.id]);
  const rows = await runInDurableObject(channelOf(person), (_object, { storage }) =>
    storage.sql.exec('SELECT count(*) AS count FROM messages').one(),
  );
  expect(rows).toEqual({ count: 1 });
});

test('if a person opens too many sockets the oldest socket is closed', async () => {
  const person = await newPerson();
  const lives: LiveSocket[] = [];
  for (let count = 0; count < SOCKETS_PER_USER_MAX; count++) lives.push(await connect(person));
  const last = await connect(person);
  const crowdedOut = { code: CLOSE_CROWDED_OUT, reason: 'too many connections' };
  await expect.poll(() => lives[0]?.closed).toEqual(crowdedOut);
  await channelOf(person).deliver([someMessage()]);
  for (const live of [...lives.slice(1), last]) {
    await expect.poll(() => live.messages.length).toBe(1);
    expect(live.closed).toBeNull();
  }
  expect(lives[0]?.messages).toEqual([]);
});
