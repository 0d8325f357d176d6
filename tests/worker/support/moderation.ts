import { env } from 'cloudflare:workers';
import { DAY_MS } from '#contract/durations.ts';
import type { NoticeList } from '#contract/notices.ts';
import type { Post } from '#contract/posts.ts';
import { type Caller, call, newPerson, type Person } from './api.ts';

/** A person whose reports count: a proven number, and an account older than three days. */
export async function newReporter({ isProven = true, ageDays = 4 } = {}): Promise<Person> {
  const person = await newPerson();
  await env.DB.batch([
    env.DB.prepare('update users set created_at = ? where id = ?').bind(Date.now() - ageDays * DAY_MS, person.id),
    env.DB.prepare('update phone_numbers set proven_at = ? where user_id = ?').bind(
      isProven ? Date.now() : null,
      person.id,
    ),
  ]);
  return person;
}

export function report(postId: string, reporter: Caller, input: object = { reason: 'scam' }): Promise<Response> {
  return call('POST', `/api/posts/${postId}/reports`, input, reporter);
}

/** Three people whose reports count report the post. */
export async function reportThrice(postId: string): Promise<void> {
  for (const reporter of await Promise.all([newReporter(), newReporter(), newReporter()])) {
    const answer = await report(postId, reporter);
    if (answer.status !== 201) throw new Error(`Reporting answered ${answer.status}: ${await answer.text()}`);
  }
}

export function decide(verb: 'hide' | 'restore' | 'undo', postId: string, admin: Caller): Promise<Response> {
  const body = verb === 'hide' ? { reason: 'Ni utapeli' } : undefined;
  return call('POST', `/api/admin/posts/${postId}/${verb}`, body, admin);
}

/** What hides the post, as its author sees it. */
export async function hidersOf(postId: string, author: Caller): Promise<string[]> {
  return (await (await call('GET', `/api/posts/${postId}`, undefined, author)).json<Post>()).hidden_by;
}

export async function statusFor(postId: string, viewer: Caller): Promise<number> {
  return (await call('GET', `/api/posts/${postId}`, undefined, viewer)).status;
}

/** The person's notices, newest first. */
export async function toldTo(person: Caller) {
  const { notices } = await (await call('GET', '/api/notices', undefined, person)).json<NoticeList>();
  return notices.map(({ message }) => message);
}
