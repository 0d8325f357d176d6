import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import type { Post } from '#contract/posts.ts';
import { somePost } from '#tests/support/posts.ts';
import { insertUser } from '#worker/accounts/register.ts';
import { app } from '#worker/app.ts';
import { openDb } from '#worker/db/client.ts';
import { type Env, readConfig } from '#worker/env.ts';
import { signSessionToken } from '#worker/identity/session-token.ts';
import { cheapHash } from './cheap-hash.ts';
import { checkAnswer } from './read-page.ts';

export { somePost };

export const ORIGIN = 'https://patikana.test';

export type Caller = { token?: string; language?: string; headers?: Record<string, string> };

/**
 * Calls the app in the test's own isolate, and waits for its `waitUntil` work. `exports.default.fetch` gets slower with
 * each request of a file: the four hundredth took 15 s, and 0.6 s this way.
 */
async function fetchApp(request: Request, bindings: Partial<Record<keyof Env, unknown>> = {}): Promise<Response> {
  const ctx = createExecutionContext();
  const answer = await app.fetch(request, { ...env, ...bindings } as Env, ctx);
  await waitOnExecutionContext(ctx);
  return answer;
}

/** Calls the Worker like a client. A response that breaks the contract fails the test. */
export async function call(
  method: string,
  path: string,
  body?: unknown,
  { token, language, headers }: Caller = {},
): Promise<Response> {
  const url = `${ORIGIN}${path}`;
  const answer = await fetchApp(
    new Request(url, {
      method,
      headers: {
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(token && { Authorization: `Bearer ${token}` }),
        ...(language && { 'Accept-Language': language }),
        ...headers,
      },
      ...(body !== undefined && { body: isSentAsItIs(body) ? body : JSON.stringify(body) }),
    }),
  );
  await checkAnswer(method, url, answer);
  return answer;
}

function isSentAsItIs(body: unknown): body is string | Uint8Array {
  return typeof body === 'string' || body instanceof Uint8Array;
}

/** The body of a GET response, whatever its status. */
export async function read<Answer>(path: string, caller: Caller): Promise<Answer> {
  return (await call('GET', path, undefined, caller)).json<Answer>();
}

export function signIn(email: string, password: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetchApp(
    new Request(`${ORIGIN}/api/login`, {
      method: 'POST',
      headers,
      body: new URLSearchParams({ username: email, password }),
    }),
  );
}

let people = 0;

export type Person = { id: string; token: string; email: string; phone: string; password: string; username: string };

const PASSWORD = 'tumaini la kesho';
const CHEAP_HASH = cheapHash(PASSWORD);

/** A new person with an account and a session. */
export async function newPerson(
  overrides: Partial<{ username: string; email: string; whatsapp_number: string }> = {},
): Promise<Person> {
  const number = `${++people}${Math.floor(Math.random() * 1e6)}`.padStart(9, '7').slice(-9);
  const registration = {
    username: `mtu${number}`,
    email: `mtu${number}@example.com`,
    whatsapp_number: `+255${number}`,
    password: PASSWORD,
    ...overrides,
  };
  const { id, username, email } = await insertUser(openDb(env), registration, CHEAP_HASH, Date.now());
  const token = await signSessionToken(readConfig(env).keys.session, {
    userId: id,
    tokenVersion: 1,
    sessionId: crypto.randomUUID(),
  });
  return { id, token, email, phone: registration.whatsapp_number, password: PASSWORD, username };
}

export async function newPost(author: { token: string }, overrides: Record<string, unknown> = {}): Promise<Post> {
  const answer = await call('POST', '/api/posts', { ...somePost, ...overrides }, author);
  if (answer.status !== 201) throw new Error(`Posting answered ${answer.status}: ${await answer.text()}`);
  return answer.json<Post>();
}

/** Calls the Worker with other bindings. */
export async function ask(
  bindings: Partial<Record<keyof Env, unknown>>,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  const request = new Request(`${ORIGIN}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return fetchApp(request, bindings);
}
