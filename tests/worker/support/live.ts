import { createExecutionContext, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import {
  LIVE_PROTOCOL,
  LIVE_TICKET_PREFIX,
  type LiveMessage,
  type MatchingPostMessage,
  type NoticesEndedFrame,
  type RealtimeTicket,
} from '#contract/live-messages.ts';
import { app } from '#worker/app.ts';
import { readConfig } from '#worker/env.ts';
import { signSessionToken } from '#worker/identity/session-token.ts';
import { ORIGIN } from './api.ts';

/** A person inserted into the database: fast, for tests that are not about the sign-in. */
export type Somebody = { id: string; token: string; tokenVersion: number };

let somebodies = 0;

export async function newPeople(count: number): Promise<Somebody[]> {
  const ids = Array.from({ length: count }, () => crypto.randomUUID());
  const insert = env.DB.prepare(
    `insert into users (id, username, email, email_key, password_hash, created_at)
     values (?1, ?2, ?3, ?3, '', 0)`,
  );
  const insertNumber = env.DB.prepare('insert into phone_numbers (number, user_id) values (?1, ?2)');
  await env.DB.batch(
    ids.flatMap((id) => {
      const number = `+2557${String(++somebodies).padStart(8, '0')}`;
      return [insert.bind(id, 'mtu', `${id}@example.com`), insertNumber.bind(number, id)];
    }),
  );
  return Promise.all(
    ids.map(async (id) => ({
      id,
      tokenVersion: 1,
      token: await signSessionToken(readConfig(env).keys.session, {
        userId: id,
        tokenVersion: 1,
        sessionId: crypto.randomUUID(),
      }),
    })),
  );
}

/** Two texts, one in each language, about a phone that no other test has lost. */
export function lostAndFound() {
  const imei = newImei();
  return {
    lost: { posted_by: 'owner', title: 'Nimepoteza simu ya Tecno nyeusi', description: `IMEI ${imei}` },
    found: { posted_by: 'finder', title: 'Found a black Tecno phone', description: `IMEI ${imei}` },
  };
}

/** 14 digits and the check digit of a unique IMEI. */
function newImei(): string {
  const digits = Array.from(crypto.getRandomValues(new Uint8Array(14)), (byte) => byte % 10);
  const sum = digits.reduce((total, digit, index) => {
    const weighed = digit * (index % 2 === 1 ? 2 : 1);
    return total + (weighed > 9 ? weighed - 9 : weighed);
  }, 0);
  return [...digits, (10 - (sum % 10)) % 10].join('');
}

export function channelOf({ id }: { id: string }) {
  return env.USER_CHANNEL.getByName(id);
}

/**
 * Calls the app directly. The test runner's own way to the Worker (`exports`) gets slower with each request of a file,
 * up to tens of milliseconds, and a crowd sends more than that.
 */
async function ask(path: string, init: RequestInit): Promise<Response> {
  return app.fetch(new Request(`${ORIGIN}${path}`, init), env, createExecutionContext());
}

export async function takeTicket(person: { token: string }): Promise<string> {
  const headers = { Authorization: `Bearer ${person.token}` };
  const answer = await ask('/api/realtime/ticket', { method: 'POST', headers });
  expect(answer.status).toBe(200);
  return (await answer.json<RealtimeTicket>()).ticket;
}

export function upgrade(userId: string, ticket: string | null, headers: Record<string, string> = {}) {
  const protocols = [LIVE_PROTOCOL, ...(ticket === null ? [] : [`${LIVE_TICKET_PREFIX}${ticket}`])].join(', ');
  return ask(`/ws/${userId}`, { headers: { Upgrade: 'websocket', 'Sec-WebSocket-Protocol': protocols, ...headers } });
}

export type LiveSocket = {
  userId: string;
  socket: WebSocket;
  /** The ids acknowledged over this socket. */
  acknowledged: string[];
  /** All received messages, in order. */
  messages: LiveMessage[];
  /** The notices reported as read elsewhere or withdrawn. */
  ended: string[];
  closed: { code: number; reason: string } | null;
  acknowledge(id: string): void;
};

/** Connects like the person's browser. */
export async function connect(person: { id: string; token: string }): Promise<LiveSocket> {
  const answer = await upgrade(person.id, await takeTicket(person));
  expect(answer.status).toBe(101);
  const socket = answer.webSocket as WebSocket;
  const live: LiveSocket = {
    userId: person.id,
    socket,
    acknowledged: [],
    messages: [],
    ended: [],
    closed: null,
    acknowledge(id) {
      live.acknowledged.push(id);
      socket.send(JSON.stringify({ type: 'ack', id }));
    },
  };
  socket.addEventListener('message', ({ data }) => {
    if (data === 'pong') return;
    const frame = JSON.parse(String(data)) as LiveMessage | NoticesEndedFrame;
    if (frame.type === 'notices_ended') live.ended.push(...frame.ids);
    else live.messages.push(frame);
  });
  socket.addEventListener('close', ({ code, reason }) => {
    live.closed = { code, reason };
  });
  socket.accept();
  return live;
}

/**
 * Waits until all messages in transit have arrived on both sides, including acknowledgements. A pong is not enough: the
 * runtime answers a ping before the object has woken.
 */
export async function settled({ socket, userId, acknowledged }: LiveSocket): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const onPong = ({ data }: MessageEvent) => data === 'pong' && resolve();
  socket.addEventListener('message', onPong);
  socket.send('ping');
  await promise;
  socket.removeEventListener('message', onPong);
  if (acknowledged.length > 0) await expect.poll(() => countUnread(userId, acknowledged), { timeout: 20_000 }).toBe(0);
}

/** How many of these messages the mailbox considers unacknowledged. */
function countUnread(userId: string, ids: string[]): Promise<number> {
  return runInDurableObject(channelOf({ id: userId }), (_object, { storage }) => {
    const open = storage.sql.exec<{ id: string }>('SELECT id FROM messages WHERE acknowledged_at IS NULL').toArray();
    return open.filter(({ id }) => ids.includes(id)).length;
  });
}

/** Waits until this many messages have arrived, without polling, which would be slow for a hundred people. */
export async function untilHeard({ socket, messages: heard }: LiveSocket, count: number): Promise<void> {
  while (heard.length < count) {
    await new Promise<void>((resolve) => socket.addEventListener('message', () => resolve(), { once: true }));
  }
}

let messages = 0;

export function someMessage(overrides: Partial<MatchingPostMessage> = {}): MatchingPostMessage {
  return {
    type: 'matching_post',
    id: `message-${++messages}`,
    pair_id: `pair-${messages}`,
    confidence: 'sure',
    post_id: 'a-post',
    your_post_id: 'your-post',
    title: 'Found a black Tecno phone',
    location: 'Kariakoo',
    kept_at: null,
    owner_first_name: '',
    owner_last_name: '',
    phone_number: '0712345678',
    is_contact_limited: false,
    contact_opens_at: null,
    created_at: '2026-11-21T08:00:00.000Z',
    score: 0.9,
    reasons: [{ kind: 'item', en: 'phone', sw: 'simu' }],
    ...overrides,
  };
}
