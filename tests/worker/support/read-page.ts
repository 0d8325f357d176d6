import { expect } from 'vitest';
import * as z from 'zod/mini';
import { healthSchema } from '#contract/admin.ts';
import { ENDPOINTS, type Endpoint } from '#contract/endpoints.ts';
import { ERROR_STATUS, type ErrorBody } from '#contract/error-codes.ts';
import { app } from '#worker/app.ts';

/** A page as a program reads it: its meta tags by name, its links by relation, and its language. */
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

/** Every GET route of the API, with real ids in its path. */
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
  // Fixed words before parameters: /posts/by-owner is not a post.
  .sort((left, right) => left.route.split(':').length - right.route.split(':').length);

const sentence = z.string().check(z.minLength(1));

const errorBody: z.ZodMiniType<ErrorBody> = z.strictObject({
  code: z.enum(Object.keys(ERROR_STATUS) as (keyof typeof ERROR_STATUS)[]),
  detail: sentence,
  errors: z.optional(z.array(z.strictObject({ field: z.string(), message: sentence })).check(z.minLength(1))),
  request_id: z.optional(z.string()),
});

/** Where the contract gives an error code an unusual status. */
const STATUS_OF_ITS_OWN: Record<string, number> = { 'POST /api/identifiers/lookup: number_not_proven': 403 };

/**
 * Checks a response against `contract/endpoints.ts`: the status, and every field and no other. A failure in JSON has an
 * error body, whose code belongs to the status.
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
