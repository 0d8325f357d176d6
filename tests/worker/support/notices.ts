import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, vi } from 'vitest';
import { DEFAULT_NOTICE_SETTINGS, type NoticeSettings } from '#contract/channels.ts';
import type { Channel, NoticeEmailJob, NoticeWhatsappJob, OutgoingJob } from '#contract/jobs.ts';
import type { MatchingPostMessage } from '#contract/live-messages.ts';
import type { Surroundings } from '#durable/channel-turns.ts';
import { newId } from '#worker/identity/digests.ts';
import { call, newPerson, newPost, type Person } from './api.ts';
import { FOUND, newClaim, newsOf, take } from './claims.ts';
import { channelOf, connect, lostAndFound, newPeople, type Somebody, settled, someMessage } from './live.ts';
import { forgetPosts, postAndMatch } from './posts.ts';

/** A time in Tanzania, far enough ahead that no alarm fires. */
export function at(clock: string, day = 15): number {
  return Date.parse(`2031-01-${day}T${clock}:00+03:00`);
}

/** From here on the test sets the clock; timers run on. */
export function setClock(clock: string, day?: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: at(clock, day) });
}

/** A person with a browser, a proven number and a proven e-mail, who wants notices on all of them. */
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

/** A browser of theirs, whose address nobody checks. */
export async function subscribe(person: Somebody, id: string): Promise<void> {
  await env.DB.prepare(
    `insert into push_subscriptions (endpoint, id, user_id, session_id, p256dh, auth, put_at) values (?1, ?1, ?2, '', '', '', 0)`,
  )
    .bind(id, person.id)
    .run();
}

/** A notice in the database and in the person's mailbox. @returns its id. */
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

/** Starts a channel's turn for all waiting notices. @returns the jobs in the queues. */
export async function comeDue(person: Somebody, ...channels: Channel[]): Promise<void> {
  await runInDurableObject(channelOf(person), (_object, { storage }) => {
    for (const channel of channels)
      storage.sql.exec('UPDATE turns SET due_at = ? WHERE channel = ? AND is_held = 0', Date.now(), channel);
  });
  await ring(person);
}

/** Fires the alarm. */
export async function ring(person: { id: string }): Promise<void> {
  if (!(await runDurableObjectAlarm(channelOf(person)))) throw new Error('no alarm was set');
}

export async function alarmOf(person: { id: string }): Promise<number | null> {
  return runInDurableObject(channelOf(person), (_object, { storage }) => storage.getAlarm());
}

/** Replaces the bindings of the person's object until it is evicted. */
export async function surround(person: { id: string }, change: (before: Surroundings) => Partial<Surroundings>) {
  await runInDurableObject(channelOf(person), (object) => {
    const { surroundings } = object as unknown as { surroundings: Surroundings };
    Object.assign(surroundings, change({ ...surroundings }));
  });
}

/** Records what the person's object sends to the queues. */
export async function hearJobs(person: Somebody, jobs: OutgoingJob[] = []): Promise<OutgoingJob[]> {
  await surround(person, () => ({ queue: async (some) => void jobs.push(...some) }));
  return jobs;
}

/** Shortens a job to the channel, the notices, and its special fields. */
export function brief(jobs: OutgoingJob[]): string[] {
  return jobs.map((one) => {
    if (one.channel === 'push') return `push ${one.job.noticeId}${one.job.isSilent ? ' silently' : ''}`;
    return `${one.channel} ${one.job.noticeIds.join('+')}${one.job.waiting > 1 ? ` of ${one.job.waiting}` : ''}`;
  });
}

/** Settings without quiet hours and with every channel, except for these changes. */
export async function want(person: Person, settings: Partial<NoticeSettings> = {}): Promise<void> {
  const all = { ...DEFAULT_NOTICE_SETTINGS, whatsapp: true, quiet_from: null, quiet_to: null, ...settings };
  const answer = await call('PUT', '/api/me/notice-settings', all, person);
  expect(answer.status).toBe(200);
}

/** A person with a proven number, without quiet hours and with every channel. */
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
 * Another person's post matches one that the person posted for a relative, because notices about their own lost phone
 * would not go to its number. @returns the notice in their mailbox.
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

/** Their claim was accepted. @returns the claim, and the notice in their mailbox. */
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

/** What ends a notice on every channel. */
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
