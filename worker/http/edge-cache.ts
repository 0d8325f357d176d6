import { createHash } from 'node:crypto';
import { etag, RETAINED_304_HEADERS } from 'hono/etag';
import { createMiddleware } from 'hono/factory';
import { log } from '#worker/errors/log.ts';
import { type AppContext, type AppEnv, continueAfterAnswer } from './context.ts';

// Cloudflare looks into its cache before the Worker runs. It compares only path and query, and ignores the token and
// the host (docs/decisions/028-shared-answers.md). So nothing is cached unless a route calls `keepAtEdge`.

/** A header only for Cloudflare's cache. It takes precedence over `Cache-Control`, and browsers never see it. */
const EDGE_CONTROL = 'Cloudflare-CDN-Cache-Control';
const TAGS = 'Cache-Tag';
/** The only cache tag of a page with the newest posts: the page's headers are sent before its posts are known. */
const NEWEST = 'newest-posts';
/** How many tags Cloudflare purges in one request, besides `NEWEST`. */
export const PURGED_AT_ONCE = 99;

/**
 * What a response shows. With `postIds` the response is purged when one of these posts is hidden; with 'newest posts'
 * the response is purged when any post is hidden.
 */
type Contents = { postIds: readonly string[] } | 'newest posts';

/**
 * Lets Cloudflare's edge cache the response. `keepNothingElse` undoes this if the response is not the same for
 * everybody. Without `must-revalidate` Cloudflare would continue to serve a stale response while the Worker fails.
 */
export function keepAtEdge(c: AppContext, seconds: number, contents: Contents): void {
  c.header(EDGE_CONTROL, `public, max-age=${seconds}, must-revalidate`);
  const tags = contents === 'newest posts' ? [NEWEST] : contents.postIds.map(toTag);
  if (tags.length > 0) c.header(TAGS, tags.join(','));
}

/**
 * Runs around every route, so that Cloudflare caches only responses of routes that call `keepAtEdge`. Other responses
 * are not cached, even if browsers may cache them.
 */
export const keepNothingElse = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  const { headers, status } = c.res;
  if (status === 101) return;
  if (!headers.has('Cache-Control')) c.header('Cache-Control', 'no-store');
  if (headers.has(EDGE_CONTROL) && isForEverybody(c)) return;
  c.header(EDGE_CONTROL, 'no-store');
  c.header(TAGS, undefined);
});

const SHAREABLE = [200, 304, 404];

/**
 * Whether everybody may get the same response: no token was sent, no cookie is set, and the status is in `SHAREABLE`.
 * Otherwise the response is not cached, even if the route has called `keepAtEdge`.
 */
function isForEverybody({ req, res }: AppContext): boolean {
  return req.header('Authorization') === undefined && !res.headers.has('Set-Cookie') && SHAREABLE.includes(res.status);
}

const tagAnswer = etag({ retainedHeaders: [...RETAINED_304_HEADERS, EDGE_CONTROL, TAGS, 'Link'] });

/** Answers 304 to visitors who already have the same response. */
export const withEtag = createMiddleware<AppEnv>((c, next) =>
  c.req.header('Authorization') === undefined ? tagAnswer(c, () => next().then(() => tagText(c))) : next(),
);

/** Makes the ETag from the response's text: Hono's middleware would read a copy as a stream, which costs CPU time. */
async function tagText(c: AppContext): Promise<void> {
  if (!c.res.ok) return;
  const text = await c.res.text();
  c.res = new Response(text, c.res);
  c.header('ETag', `"${createHash('sha1').update(text).digest('hex')}"`);
}

/**
 * Purges from Cloudflare's cache all responses that show these posts. Sends one purge request, after the current
 * response, because Cloudflare allows only few purge requests per minute. Responses that are not purged expire within a
 * minute.
 */
export function forgetPosts(c: AppContext, postIds: readonly string[]): void {
  const { executionCtx } = c;
  if (postIds.length === 0 || !hasCache(executionCtx)) return;
  const tags = [...postIds.slice(0, PURGED_AT_ONCE).map(toTag), NEWEST];
  continueAfterAnswer(c, purge(executionCtx.cache, tags));
}

async function purge(cache: CacheContext, tags: string[]): Promise<void> {
  const { success, errors } = await cache.purge({ tags }).catch(() => ({ success: false, errors: [] }));
  if (!success) log.warn('posts_not_purged', { error_code: errors[0]?.code ?? null });
}

/** Whether there is a cache. On a developer's machine there is none. */
function hasCache(context: object): context is { cache: CacheContext } {
  return 'cache' in context && context.cache !== undefined;
}

function toTag(postId: string): string {
  return `post-${postId}`;
}
