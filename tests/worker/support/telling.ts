import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { vi } from 'vitest';
import type { NoticeSettings } from '#contract/channels.ts';
import type { Channel, OutgoingJob } from '#contract/jobs.ts';
import type { MatchingPostMessage } from '#contract/live-messages.ts';
import type { Surroundings } from '#durable/channel-turns.ts';
import { newId } from '#worker/identity/digests.ts';
import { call } from './api.ts';
import { channelOf, newPeople, type Somebody, someMessage } from './live.ts';

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
