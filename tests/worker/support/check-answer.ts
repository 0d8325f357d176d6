import { expect } from 'vitest';
import { ENDPOINTS, type Endpoint } from '#contract/endpoints.ts';

const ENDPOINT_PATTERNS = Object.entries<Endpoint>(ENDPOINTS)
  .map(([name, endpoint]) => {
    const [method = '', route = ''] = name.split(' ');
    return { endpoint, method, route, pattern: new RegExp(`^/api${route.replace(/:\w+/g, '[^/]+')}$`) };
  })
  // Fixed words before names: /posts/by-owner is no post.
  .sort((left, right) => left.route.split(':').length - right.route.split(':').length);

/** Holds an answer against what `contract/endpoints.ts` says of it: the status, and every field and no other. */
export async function checkAnswer(method: string, url: string, answer: Response): Promise<void> {
  if (!answer.ok) return;
  const { pathname } = new URL(url);
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
