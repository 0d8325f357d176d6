import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import { DEFAULT_NOTICE_SETTINGS, type NoticeSettings } from '#contract/channels.ts';
import type { NoticeEmailJob, NoticeWhatsappJob } from '#contract/jobs.ts';
import { call, newPerson, newPost, type Person } from './api.ts';
import { FOUND, newClaim, newsOf, take } from './claims.ts';
import { connect, lostAndFound, settled } from './live.ts';
import { forgetPosts, postAndMatch } from './saved-posts.ts';

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
