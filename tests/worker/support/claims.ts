import { env } from 'cloudflare:workers';
import type { Claim, ClaimState } from '#contract/claims.ts';
import type { ErrorBody } from '#contract/error-codes.ts';
import type { ClaimNewsMessage } from '#contract/live-messages.ts';
import type { NoticeList } from '#contract/notices.ts';
import type { Post } from '#contract/posts.ts';
import { call, newPerson, newPost, type Person } from './api.ts';

/** A post that matches no other post of the tests that use it. */
export const FOUND = {
  title: 'Begi la shule la buluu',
  description: '',
  posted_by: 'finder',
  phone_number: '0655000111',
  claim_question: 'Ndani kulikuwa na nini?',
  private_marks: 'Daftari la hesabu lenye jina la Rehema',
};
export const ANSWER = 'Kulikuwa na daftari la hesabu la Rehema.';

export function claim(postId: string, claimant: { token?: string; headers?: Record<string, string> }, input = {}) {
  return call('POST', `/api/posts/${postId}/claims`, { answer: ANSWER, ...input }, claimant);
}

export async function newClaim(postId: string, claimant: Person, input = {}): Promise<Claim> {
  const answer = await claim(postId, claimant, input);
  if (answer.status !== 201) throw new Error(`Claiming answered ${answer.status}: ${await answer.text()}`);
  return answer.json<Claim>();
}

export type Scene = { finder: Person; claimant: Person; post: Post; id: string };

/** A finder with a post, and a person who has claimed it. */
export async function claimed(overrides = {}, input = {}): Promise<Scene> {
  const [finder, claimant] = [await newPerson(), await newPerson()];
  const post = await newPost(finder, { ...FOUND, ...overrides });
  const { id } = await newClaim(post.id, claimant, input);
  return { finder, claimant, post, id };
}

export function step(id: string, name: string, person: { token?: string }, body?: unknown): Promise<Response> {
  return call('POST', `/api/claims/${id}/${name}`, body, person);
}

/** Takes a step in a claim, such as `accept`. @throws unless the step succeeds. */
export async function take(id: string, name: string, person: Person, body?: unknown): Promise<Claim> {
  const answer = await step(id, name, person, body);
  if (answer.status !== 200) throw new Error(`${name} answered ${answer.status}: ${await answer.text()}`);
  return answer.json<Claim>();
}

/** Returns the status and the error code of a refusal. */
export async function refusal(answer: Promise<Response>): Promise<[status: number, code: string]> {
  const { status, ...rest } = { status: (await answer).status, body: await (await answer).json<ErrorBody>() };
  return [status, rest.body.code];
}

export async function read(id: string, person: Person): Promise<Claim> {
  const answer = await call('GET', `/api/claims/${id}`, undefined, person);
  if (answer.status !== 200) throw new Error(`Reading answered ${answer.status}`);
  return answer.json<Claim>();
}

export async function statusesOf(id: string, { finder, claimant }: Pick<Scene, 'finder' | 'claimant'>) {
  return [(await read(id, finder)).status, (await read(id, claimant)).status];
}

/** Lets the time pass in which the claim's decline can be undone. */
export async function letDeclinePass(id: string): Promise<void> {
  await env.DB.prepare('update claims set decline_due_at = 1 where id = ? and decline_due_at is not null')
    .bind(id)
    .run();
}

/** Inserts a claim in this state into the database. */
export async function insertClaim(
  { postId, finder, claimant }: { postId: string; finder: { id: string }; claimant: { id: string } },
  state: ClaimState = 'waiting',
): Promise<string> {
  const id = crypto.randomUUID();
  const dueAt = state.startsWith('declining') ? Date.now() + 600_000 : null;
  await env.DB.prepare(
    `insert into claims (id, post_id, post_title, post_kind, finder_id, claimant_id, question, private_marks, answer, phone_number,
       state, decline_due_at, created_at, finder_updated_at, claimant_updated_at)
     values (?, ?, ?, 'bag', ?, ?, ?, ?, ?, '0777000222', ?, ?, 1, 1, 1)`,
  )
    .bind(
      id,
      postId,
      FOUND.title,
      finder.id,
      claimant.id,
      FOUND.claim_question,
      FOUND.private_marks,
      ANSWER,
      state,
      dueAt,
    )
    .run();
  return id;
}

/** Returns a person's claim notices, oldest first. */
export async function newsOf(person: Person): Promise<ClaimNewsMessage[]> {
  const list = await (await call('GET', '/api/notices?limit=100', undefined, person)).json<NoticeList>();
  return list.notices.flatMap(({ message }) => ('claim_id' in message ? [message] : [])).reverse();
}

export async function newsTypesOf(person: Person): Promise<string[]> {
  return (await newsOf(person)).map(({ type }) => type);
}

/** Returns a wrong hand-over code. */
export function wrongCode(right: string | null): string {
  return String((Number(right) + 1) % 1_000_000).padStart(6, '0');
}
