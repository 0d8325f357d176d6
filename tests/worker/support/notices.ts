import { createExecutionContext, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, vi } from 'vitest';
import { DEFAULT_NOTICE_SETTINGS, type NoticeSettings } from '#contract/channels.ts';
import type { Channel, NoticeEmailJob, NoticeWhatsappJob, OutgoingJob } from '#contract/jobs.ts';
import {
  LIVE_PROTOCOL,
  LIVE_TICKET_PREFIX,
  type LiveMessage,
  type MatchingPostMessage,
  type NoticesEndedFrame,
  type RealtimeTicket,
} from '#contract/live-messages.ts';
import type { Surroundings } from '#durable/channel-turns.ts';
import { app } from '#worker/app.ts';
import { readConfig } from '#worker/env.ts';
import { newId } from '#worker/identity/digests.ts';
import { signSessionToken } from '#worker/identity/session-token.ts';
import { call, newPerson, newPost, ORIGIN, type Person } from './api.ts';
import { FOUND, newClaim, newsOf, take } from './claims.ts';
import { forgetPosts, postAndMatch } from './posts.ts';

/** A time in Tanzania, far enough ahead that no alarm fires. */
export function at(clock: string, day = 15): number {
  return Date.parse(`2031-01-${day}T${clock}:00+03:00`);
}

/** Stops the clock at the given time. Timers still run. */
export function setClock(clock: string, day?: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: at(clock, day) });
}

/**
 * Creates a person who receives notices on every channel: in a browser subscribed to pushes, by WhatsApp on a proven
 * phone number, and at a proven e-mail address.
 */
export async function newListener(settings: Partial<NoticeSettings> = {}): Promise<Somebody & { phone: string }> {
  const [person] = await newPeople(1);
  if (!person) throw new Error('nobody');
  await env.DB.batch([
    env.DB.prepare('update phone_numbers set proven_at = 1 where user_id = ?').bind(person.id),
    env.DB.prepare('update users set email_proven_at = 1 where id = ?').bind(person.id),
  ]);
  await subscribe(person, `browser-of-${person.id}`);
  await change(person, settings);
  const row = await env.DB.prepare('select number from phone_numbers where user_id = ?').bind(person.id).first();
  return { ...person, phone: String(row?.number) };
}

export async function change(person: Somebody, settings: Partial<NoticeSettings>): Promise<void> {
  const all = { push: true, whatsapp: true, email: true, quiet_from: '21:00', quiet_to: '06:00', ...settings };
  const answer = await call('PUT', '/api/me/notice-settings', all, person);
  if (answer.status !== 200) throw new Error(`Changing the settings answered ${answer.status}`);
}

/** Subscribes a browser of the person to pushes, with an invented endpoint. */
export async function subscribe(person: Somebody, id: string): Promise<void> {
  await env.DB.prepare(
    `insert into push_subscriptions (endpoint, id, user_id, session_id, p256dh, auth, put_at) values (?1, ?1, ?2, '', '', '', 0)`,
  )
    .bind(id, person.id)
    .run();
}

/** Stores a notice in the database and delivers it to the person's mailbox. @returns the notice's id. */
export async function notify(person: Somebody, message: Partial<MatchingPostMessage> = {}, type = 'matching_post') {
  const id = newId();
  await env.DB.prepare(
    `insert into notices (id, recipient_id, type, your_post_id, post_id, created_at, delivered_at)
     values (?, ?, ?, ?, ?, 0, 0)`,
  )
    .bind(id, person.id, type, message.your_post_id ?? null, message.post_id ?? null)
    .run();
  await channelOf(person).deliver([someMessage({ ...message, id, type: type as 'matching_post' })]);
  return id;
}

/** Makes all waiting notices due on these channels, and fires the alarm that sends them. */
export async function comeDue(person: Somebody, ...channels: Channel[]): Promise<void> {
  await runInDurableObject(channelOf(person), (_object, { storage }) => {
    for (const channel of channels)
      storage.sql.exec('UPDATE turns SET due_at = ? WHERE channel = ? AND is_held = 0', Date.now(), channel);
  });
  await ring(person);
}

/** Fires the alarm of the person's Durable Object. */
export async function ring(person: { id: string }): Promise<void> {
  if (!(await runDurableObjectAlarm(channelOf(person)))) throw new Error('no alarm was set');
}

export async function alarmOf(person: { id: string }): Promise<number | null> {
  return runInDurableObject(channelOf(person), (_object, { storage }) => storage.getAlarm());
}

/** Replaces the services that the person's Durable Object calls, such as the queue, until the object is evicted. */
export async function surround(person: { id: string }, change: (before: Surroundings) => Partial<Surroundings>) {
  await runInDurableObject(channelOf(person), (object) => {
    const { surroundings } = object as unknown as { surroundings: Surroundings };
    Object.assign(surroundings, change({ ...surroundings }));
  });
}

/** Records what the person's Durable Object sends to the queues. */
export async function hearJobs(person: Somebody, jobs: OutgoingJob[] = []): Promise<OutgoingJob[]> {
  await surround(person, () => ({ queue: async (some) => void jobs.push(...some) }));
  return jobs;
}

/**
 * Describes each job in a short text: the channel, the ids of the notices, "silently" for a silent push, and the number
 * of notices that the message is about, if there are several.
 */
export function brief(jobs: OutgoingJob[]): string[] {
  return jobs.map((one) => {
    if (one.channel === 'push') return `push ${one.job.noticeId}${one.job.isSilent ? ' silently' : ''}`;
    return `${one.channel} ${one.job.noticeIds.join('+')}${one.job.waiting > 1 ? ` of ${one.job.waiting}` : ''}`;
  });
}

/** Saves settings without quiet hours and with every channel, except for the given changes. */
export async function want(person: Person, settings: Partial<NoticeSettings> = {}): Promise<void> {
  const all = { ...DEFAULT_NOTICE_SETTINGS, whatsapp: true, quiet_from: null, quiet_to: null, ...settings };
  const answer = await call('PUT', '/api/me/notice-settings', all, person);
  expect(answer.status).toBe(200);
}

/** A person with a proven phone number, without quiet hours and with every channel. */
export async function newReachable(language = 'sw'): Promise<Person> {
  const person = await newPerson();
  await env.DB.batch([
    env.DB.prepare('update phone_numbers set proven_at = 1 where user_id = ?').bind(person.id),
    env.DB.prepare('update users set language = ? where id = ?').bind(language, person.id),
  ]);
  await want(person);
  return person;
}

/**
 * Creates a post of the person and a matching post of another person. The person posts for a relative, because a person
 * who has lost their own phone gets no notices by WhatsApp. @returns the id of the person's notice.
 */
export async function tellMatch(person: Person, title?: string): Promise<string> {
  await forgetPosts();
  const { lost, found } = lostAndFound();
  const mine = await postAndMatch(person, { ...lost, ...(title !== undefined && { title }) });
  await env.DB.prepare('update posts set on_behalf = 1 where id = ?').bind(mine).run();
  await postAndMatch(await newPerson(), found);
  const id = await env.DB.prepare('select id from notices where recipient_id = ? and your_post_id = ?')
    .bind(person.id, mine)
    .first<string>('id');
  if (id === null) throw new Error('no notice');
  return id;
}

/** Creates a claim by the person, which the finder accepts. @returns the ids of the claim and the person's notice. */
export async function tellClaim(person: Person, title: string): Promise<{ claimId: string; noticeId: string }> {
  const finder = await newPerson();
  const { id: claimId } = await newClaim((await newPost(finder, { ...FOUND, title })).id, person);
  await take(claimId, 'accept', finder);
  const [news] = await newsOf(person);
  return { claimId, noticeId: news?.id ?? '' };
}

type Named = { language?: 'en' | 'sw'; waiting?: number };

function name({ id }: { id: string }, noticeIds: string[], { language = 'sw', waiting = noticeIds.length }: Named) {
  return { messageId: noticeIds[0] ?? '', userId: id, noticeIds, waiting, language };
}

export function emailJob(person: Person, noticeIds: string[], named: Named = {}): NoticeEmailJob {
  return { kind: 'notice', ...name(person, noticeIds, named) };
}

export function whatsappJob(person: Person, noticeIds: string[], named: Named = {}): NoticeWhatsappJob {
  return { kind: 'match_notice', ...name(person, noticeIds, named) };
}

/** Quiet hours that include the current minute, in the settings' format. */
export function quietNow(now = Date.now()): Pick<NoticeSettings, 'quiet_from' | 'quiet_to'> {
  const clock = (minutes: number) => new Date(now + (180 + minutes) * 60_000).toISOString().slice(11, 16);
  return { quiet_from: clock(-60), quiet_to: clock(120) };
}

export type WaysToEnd = [what: string, change: (person: Person, id: string) => Promise<unknown>][];

/** Events after which a queued notice is no longer sent on any channel. Each text completes "the notice …". */
export const WAYS_TO_END: WaysToEnd = [
  ['was read', (person, id) => call('POST', '/api/notices/read', { ids: [id] }, person)],
  [
    'was acknowledged by a client',
    async (person, id) => {
      const live = await connect(person);
      live.acknowledge(id);
      await settled(live);
      live.socket.close();
    },
  ],
  [
    'is of a person who has left',
    ({ id }) => env.DB.prepare('update users set closed_at = 1 where id = ?').bind(id).run(),
  ],
];

/** A person whom a test inserts into the database directly, because signing up and signing in would be slower. */
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

/**
 * Returns an owner's post in Swahili and a finder's post in English about the same phone. The IMEI is new, so the posts
 * of other tests do not match.
 */
export function lostAndFound() {
  const imei = newImei();
  return {
    lost: { posted_by: 'owner', title: 'Nimepoteza simu ya Tecno nyeusi', description: `IMEI ${imei}` },
    found: { posted_by: 'finder', title: 'Found a black Tecno phone', description: `IMEI ${imei}` },
  };
}

/** Returns a unique IMEI: 14 digits and a check digit. */
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
 * Calls the app directly. The test runner's own way to the Worker (`exports`) becomes slower with each request of a
 * test file, up to tens of milliseconds a request, which is too slow for tests with a crowd of people.
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
  /** The ids of the notices that were acknowledged over this socket. */
  acknowledged: string[];
  /** All received messages, in order. */
  messages: LiveMessage[];
  /** The ids of notices that the server reported as read elsewhere or withdrawn. */
  ended: string[];
  closed: { code: number; reason: string } | null;
  acknowledge(id: string): void;
};

/** Opens a WebSocket with a ticket, as the person's browser does. */
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
 * runtime answers a ping before the Durable Object has woken.
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

/** Returns how many of these messages the mailbox counts as unacknowledged. */
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
