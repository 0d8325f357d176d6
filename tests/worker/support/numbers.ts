import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import type { ErrorBody } from '#contract/error-codes.ts';
import type { Post, PostEntry, PostMatch } from '#contract/posts.ts';
import type { NumberProof, StartedProof } from '#contract/recovery.ts';
import { composeWebhook } from '#tests/support/graph-api.ts';
import { app } from '#worker/app.ts';
import { readConfig } from '#worker/env.ts';
import { deriveCode } from '#worker/identity/codes.ts';
import { type Caller, call, newPerson, ORIGIN, type Person } from './api.ts';
import { insertPosts } from './saved-posts.ts';

const APP_SECRET = 'the-app-secret-of-the-stand-in';
let numbers = 0;

/** A unique number. */
export function newNumber(): string {
  return `+25562${String(++numbers).padStart(3, '0')}${String(Math.floor(Math.random() * 1e4)).padStart(4, '0')}`;
}

export function newRegistration(whatsapp_number: string) {
  const username = `mtu${whatsapp_number.slice(1)}${++numbers}`;
  return { username, email: `${username}@example.com`, whatsapp_number, password: 'tumaini la kesho' };
}

export function register(registration: object): Promise<Response> {
  return call('POST', '/api/users', registration);
}

export async function codeOf(answer: Response): Promise<string> {
  return answer.ok ? 'ok' : (await answer.json<ErrorBody>()).code;
}

export type Started = StartedProof & { text: string };

export async function startProof(whatsapp_number: string, language = 'en'): Promise<Started> {
  const answer = await call('POST', '/api/auth/number-proofs', { whatsapp_number }, { language });
  expect(answer.status).toBe(201);
  const proof = await answer.json<StartedProof>();
  return { ...proof, text: new URL(proof.url).searchParams.get('text') ?? '' };
}

export async function readProof({ id, secret }: StartedProof): Promise<NumberProof> {
  const answer = await call('GET', `/api/auth/number-proofs/${id}`, undefined, {
    headers: { 'X-Proof-Secret': secret },
  });
  expect(answer.status).toBe(200);
  return answer.json<NumberProof>();
}

/** A message in the format of Meta's webhook; undefined fields are absent. */
export function newMessage(from: string, text: string, overrides: Record<string, unknown> = {}) {
  return {
    from: from.slice(1),
    id: `wamid.${crypto.randomUUID()}`,
    timestamp: String(Math.floor(Date.now() / 1000)),
    type: 'text',
    text: { body: text },
    ...overrides,
  };
}

/** Delivers messages like Meta. */
export async function bring(messages: object[], { secret = APP_SECRET, alter = (body: string) => body } = {}) {
  const { body, signature } = composeWebhook(secret, { messages });
  const ctx = createExecutionContext();
  const request = new Request(`${ORIGIN}/api/whatsapp/webhook`, {
    method: 'POST',
    headers: { 'X-Hub-Signature-256': signature },
    body: alter(body),
  });
  const answer = await app.fetch(request, { ...env, WHATSAPP_APP_SECRET: APP_SECRET }, ctx);
  await waitOnExecutionContext(ctx);
  return answer.status;
}

/** The proof that replaces a code, once the number's holder has sent our message. */
export async function proveByMessage(number: string): Promise<string> {
  const started = await startProof(number);
  expect(await bring([newMessage(number, started.text)])).toBe(200);
  const { status, proof } = await readProof(started);
  expect(status).toBe('proven');
  return proof ?? '';
}

/** Requests a code before the registration. @returns the code, computed with the secret. */
export async function askForCode(number: string): Promise<string> {
  expect((await call('POST', '/api/auth/prove-number', { whatsapp_number: number })).status).toBe(200);
  return lastCode('prove_number', number);
}

export async function lastCode(kind: string, number: string): Promise<string> {
  const id = await env.DB.prepare(
    'select id from number_codes where kind = ? and number = ? order by issued_at desc, rowid desc limit 1',
  )
    .bind(kind, number)
    .first<string>('id');
  return deriveCode(readConfig(env).keys.code, id ?? '');
}

export function wrong(code: string): string {
  return String((Number(code) + 1) % 1e6).padStart(6, '0');
}

/** The number's owner, and whether it is proven. */
export function holderOf(number: string) {
  return env.DB.prepare('select user_id as id, proven_at is not null as is_proven from phone_numbers where number = ?')
    .bind(number)
    .first<{ id: string; is_proven: number }>();
}

/** The posts in a response of any route. */
export async function postsIn(answer: Response): Promise<Post[]> {
  const body = await answer.json<Post | (PostEntry | PostMatch)[]>();
  return Array.isArray(body) ? body.map((entry) => entry.Post) : [body];
}

export async function readPosts(path: string, caller: Caller): Promise<Post[]> {
  return postsIn(await call('GET', path, undefined, caller));
}

/** The ids of the posts with a visible number. */
export function numbersIn(posts: Post[]): string[] {
  return posts.filter((post) => post.phone_number !== null).map((post) => post.id);
}

/** A person at a network address that no other test uses. */
export async function newReader(address: string): Promise<Person & { headers: Record<string, string> }> {
  return { ...(await newPerson()), headers: { 'CF-Connecting-IP': address } };
}

export async function prove({ id }: Person): Promise<void> {
  await env.DB.prepare('insert or replace into phone_numbers (number, user_id, proven_at) values (?, ?, 1)')
    .bind(`+255${id}`, id)
    .run();
}

/** This many posts by another person, newest first. */
export async function fillPosts(count: number, title = 'Simu nyeusi'): Promise<{ id: string; seq: number }[]> {
  const author = await newPerson();
  await insertPosts(
    author.id,
    Array.from({ length: count }, (_, index) => `${title} ${index}`),
  );
  const { results } = await env.DB.prepare('select id, seq from posts where author_id = ? order by seq desc')
    .bind(author.id)
    .all<{ id: string; seq: number }>();
  return results;
}

/** Pairs the post with the others as sure matches. */
export async function pairWith(postId: string, others: string[]): Promise<void> {
  await env.DB.prepare(
    `insert into match_pairs (id, lost_post_id, found_post_id, score, reasons, confidence, created_at)
     select lower(hex(randomblob(16))), ?1, value, 0.9, '[]', 'sure', 1 from json_each(?2)`,
  )
    .bind(postId, JSON.stringify(others))
    .run();
  await env.DB.prepare('update posts set match_pending_since = null where id = ?').bind(postId).run();
}
