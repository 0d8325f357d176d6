import { expect } from 'vitest';
import * as z from 'zod/mini';
import { ENDPOINTS, type Endpoint } from '#contract/endpoints.ts';
import { ERROR_STATUS, type ErrorBody } from '#contract/error-codes.ts';

const ENDPOINT_PATTERNS = Object.entries<Endpoint>(ENDPOINTS)
  .map(([name, endpoint]) => {
    const [method = '', route = ''] = name.split(' ');
    return { endpoint, method, route, pattern: new RegExp(`^/api${route.replace(/:\w+/g, '[^/]+')}$`) };
  })
  // Fixed words before names: /posts/by-owner is no post.
  .sort((left, right) => left.route.split(':').length - right.route.split(':').length);

const sentence = z.string().check(z.minLength(1));

const errorBody: z.ZodMiniType<ErrorBody> = z.strictObject({
  code: z.enum(Object.keys(ERROR_STATUS) as (keyof typeof ERROR_STATUS)[]),
  detail: sentence,
  errors: z.optional(z.array(z.strictObject({ field: z.string(), message: sentence })).check(z.minLength(1))),
  request_id: z.optional(z.string()),
});

/** Where the contract gives an error another status than the code usually has. */
const STATUS_OF_ITS_OWN: Record<string, number> = { 'POST /api/identifiers/lookup: number_not_proven': 403 };

/**
 * Holds an answer against what `contract/endpoints.ts` says of it: the status, and every field and no other. A failure in
 * JSON has the body of an error, whose code belongs to the status.
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
  if (!answer.headers.get('Content-Type')?.includes('json')) return;
  const { code } = errorBody.parse(await answer.clone().json());
  const failure = `${request}: ${code}`;
  expect(answer.status, failure).toBe(STATUS_OF_ITS_OWN[failure] ?? ERROR_STATUS[code]);
}
