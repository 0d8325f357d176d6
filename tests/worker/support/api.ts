import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { scryptSync } from 'node:crypto';
import { expect } from 'vitest';
import * as z from 'zod/mini';
import { healthSchema } from '#contract/admin.ts';
import { ENDPOINTS, type Endpoint } from '#contract/endpoints.ts';
import { ERROR_STATUS, type ErrorBody } from '#contract/error-codes.ts';
import type { Post } from '#contract/posts.ts';
import { somePost } from '#tests/support/posts.ts';
import { insertUser } from '#worker/accounts/register.ts';
import { app } from '#worker/app.ts';
import { openDb } from '#worker/db/client.ts';
import { type Env, readConfig } from '#worker/env.ts';
import { signSessionToken } from '#worker/identity/session-token.ts';

export { somePost };

export const ORIGIN = 'https://patikana.test';

export type Caller = { token?: string; language?: string; headers?: Record<string, string> };

/**
 * Calls the app in the test's own isolate, and waits for its `waitUntil` work. `exports.default.fetch` gets slower with
 * each request of a test file: the 400th request took 15 s, instead of 0.6 s with this function.
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
const COST = { N: 1024, r: 8, p: 1 };
const SALT = Buffer.alloc(16, 'chumvi');
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

/** Sends a POST request to the Worker. `bindings` replace the test's bindings of the same names. */
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

/** Returns a valid password hash that is fast to compute, because tests create hundreds of people. */
function cheapHash(password: string): string {
  const key = scryptSync(password.normalize('NFC'), SALT, 32, COST).toString('base64url');
  return `scrypt$${COST.N}$${COST.r}$${COST.p}$${SALT.toString('base64url')}$${key}`;
}

type Entry = { path: string; vary: [name: string, value: string | null][]; made: Response };

/**
 * Simulates Cloudflare's cache in front of the Worker, in the worst case that Cloudflare's documentation allows
 * (docs/decisions/028-shared-answers.md): the key consists of the path, the query and the headers in `Vary`, and
 * responses without cache headers are cached too.
 */
export class PlatformCache {
  readonly #entries: Entry[] = [];

  async ask(path: string, { token, headers }: Caller = {}): Promise<{ answer: Response; isHit: boolean }> {
    const request = new Request(`${ORIGIN}${path}`, {
      headers: { ...(token && { Authorization: `Bearer ${token}` }), ...headers },
    });
    return this.pass(request, async () => app.fetch(request, env as Env, createExecutionContext()));
  }

  /** @param make calls the Worker if the cache has no response. */
  async pass(request: Request, make: () => Promise<Response>): Promise<{ answer: Response; isHit: boolean }> {
    if (request.method !== 'GET' || request.headers.has('Upgrade')) return { answer: await make(), isHit: false };
    const path = request.url.slice(ORIGIN.length);
    const isMeant = ([name, value]: [string, string | null]) => request.headers.get(name) === value;
    const entry = this.#entries.find((one) => one.path === path && one.vary.every(isMeant));
    if (entry) return { answer: entry.made.clone(), isHit: true };
    const answer = await make();
    if (isStored(answer)) {
      const names = answer.headers.get('Vary')?.split(/, */) ?? [];
      const vary = names.map((name): [string, string | null] => [name, request.headers.get(name)]);
      this.#entries.push({ path, vary, made: answer.clone() });
    }
    return { answer, isHit: false };
  }
}

/** Whether the cache stores the response. `Cloudflare-CDN-Cache-Control` overrides `Cache-Control`. */
function isStored({ headers }: Response): boolean {
  const control = headers.get('Cloudflare-CDN-Cache-Control') ?? headers.get('Cache-Control') ?? 'public';
  return !/no-store|private/.test(control) && !headers.has('Set-Cookie');
}

/** Reads a page as a crawler does: language, title, meta tags by name, links by relation, and the buttons' URLs. */
export async function readPage(page: string) {
  const found = { tags: {} as Record<string, string>, links: {} as Record<string, string>, buttons: [] as string[] };
  const texts = { language: '', title: '' };
  await new HTMLRewriter()
    .on('html', {
      element(html) {
        texts.language = html.getAttribute('lang') ?? '';
      },
    })
    .on('title', {
      text({ text }) {
        texts.title += text;
      },
    })
    .on('meta', {
      element(meta) {
        const name = meta.getAttribute('property') ?? meta.getAttribute('name');
        if (name !== null) found.tags[name] = unescapeHtml(meta.getAttribute('content') ?? '');
      },
    })
    .on('link', {
      element(link) {
        const name = [link.getAttribute('rel'), link.getAttribute('hreflang')].filter(Boolean).join(' ');
        found.links[name] = link.getAttribute('href') ?? '';
      },
    })
    .on('a.button', {
      element(link) {
        found.buttons.push(link.getAttribute('href') ?? '');
      },
    })
    .transform(new Response(page))
    .text();
  return { ...found, language: texts.language, title: unescapeHtml(texts.title) };
}

function unescapeHtml(text: string): string {
  const signs: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };
  return text.replace(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => signs[name] ?? '');
}

/** Returns the path of every GET route of the API, with `postId` in place of each path parameter. */
export function readRoutes(postId: string): string[] {
  const paths = app.routes
    .filter(({ method, path }) => method === 'GET' && path.startsWith('/api'))
    .map(({ path }) => path);
  return [...new Set(paths)].map((path) => path.replace(/:\w+(\{[^}]*\})?/g, postId));
}

const ENDPOINT_PATTERNS = Object.entries<Endpoint>(ENDPOINTS)
  .map(([name, endpoint]) => {
    const [method = '', route = ''] = name.split(' ');
    return { endpoint, method, route, pattern: new RegExp(`^/api${route.replace(/:\w+/g, '[^/]+')}$`) };
  })
  // Routes with fixed words come first: otherwise /posts/by-owner would match the route /posts/:id.
  .sort((left, right) => left.route.split(':').length - right.route.split(':').length);

const sentence = z.string().check(z.minLength(1));

const errorBody: z.ZodMiniType<ErrorBody> = z.strictObject({
  code: z.enum(Object.keys(ERROR_STATUS) as (keyof typeof ERROR_STATUS)[]),
  detail: sentence,
  errors: z.optional(z.array(z.strictObject({ field: z.string(), message: sentence })).check(z.minLength(1))),
  request_id: z.optional(z.string()),
});

/** Error codes to which the contract gives an unusual status at one endpoint. */
const STATUS_OF_ITS_OWN: Record<string, number> = { 'POST /api/identifiers/lookup: number_not_proven': 403 };

/**
 * Checks a response against `contract/endpoints.ts`: the status must agree, and the body must have exactly the
 * contract's fields. An error response in JSON must have an error body whose code belongs to the status.
 */
export async function checkAnswer(method: string, url: string, answer: Response): Promise<void> {
  const { pathname } = new URL(url);
  if (answer.status >= 400 && method !== 'HEAD') return checkFailure(`${method} ${pathname}`, answer);
  if (!answer.ok) return;
  const match = ENDPOINT_PATTERNS.find((entry) => entry.method === method && entry.pattern.test(pathname));
  if (!match) return;
  const { otherwise } = match.endpoint;
  const endpoint = otherwise && answer.status === otherwise.status ? otherwise : match.endpoint;
  expect([method, pathname, answer.status]).toEqual([method, pathname, endpoint.status]);
  const text = await answer.clone().text();
  if (!endpoint.answer) return expect(text).toBe('');
  const body: unknown = JSON.parse(text);
  expect(endpoint.answer.parse(body), `${method} ${pathname}`).toEqual(body);
}

async function checkFailure(request: string, answer: Response): Promise<void> {
  if (request === 'GET /api/health' && answer.status === 503) {
    const report: unknown = await answer.clone().json();
    return expect(healthSchema.parse(report), request).toEqual(report);
  }
  if (!answer.headers.get('Content-Type')?.includes('json')) return;
  const { code } = errorBody.parse(await answer.clone().json());
  const failure = `${request}: ${code}`;
  expect(answer.status, failure).toBe(STATUS_OF_ITS_OWN[failure] ?? ERROR_STATUS[code]);
}
