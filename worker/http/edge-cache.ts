import { createHash } from 'node:crypto';
import { etag, RETAINED_304_HEADERS } from 'hono/etag';
import { createMiddleware } from 'hono/factory';
import { log } from '#worker/errors/log.ts';
import { type AppContext, type AppEnv, continueAfterAnswer } from './context.ts';

// The platform looks into its cache before the Worker runs, by path and query only: the token and the host play no part
// (docs/decisions/028-shared-answers.md). So nothing is cached unless a route calls `keepAtEdge`.

/** Only for the platform's cache: it takes precedence over `Cache-Control`, and browsers never see it. */
const EDGE_CONTROL = 'Cloudflare-CDN-Cache-Control';
const TAGS = 'Cache-Tag';
/** The tag of a page that is sent before its posts are known. */
const NEWEST = 'newest-posts';
/** How many tags the platform purges in one request, besides the one above. */
export const PURGED_AT_ONCE = 99;

/** What the response shows: it is purged when one of these posts is taken down, or any post for the newest ones. */
type Contents = { postIds: readonly string[] } | 'newest posts';

/**
 * The only way into the platform's cache, for responses that are the same for everybody.
 * Without `must-revalidate` the platform would go on serving a stale response while the Worker fails.
 */
export function keepAtEdge(c: AppContext, seconds: number, contents: Contents): void {
  c.header(EDGE_CONTROL, `public, max-age=${seconds}, must-revalidate`);
  const tags = contents === 'newest posts' ? [NEWEST] : contents.postIds.map(toTag);
  if (tags.length > 0) c.header(TAGS, tags.join(','));
}

/** Runs around every route: without `keepAtEdge` the platform caches nothing, not even what browsers may cache. */
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

/** Responses to a token or with a cookie are never shared, whatever the route says. */
function isForEverybody({ req, res }: AppContext): boolean {
  return req.header('Authorization') === undefined && !res.headers.has('Set-Cookie') && SHAREABLE.includes(res.status);
}

const tagAnswer = etag({ retainedHeaders: [...RETAINED_304_HEADERS, EDGE_CONTROL, TAGS, 'Link'] });

/** Answers 304 to visitors who already have the same response. */
export const withEtag = createMiddleware<AppEnv>((c, next) =>
  c.req.header('Authorization') === undefined ? tagAnswer(c, () => next().then(() => tagText(c))) : next(),
);

/** Of what is one text: for a tag of its own the middleware above would copy the answer and read the copy as a stream. */
async function tagText(c: AppContext): Promise<void> {
  if (!c.res.ok) return;
  const text = await c.res.text();
  c.res = new Response(text, c.res);
  c.header('ETag', `"${createHash('sha1').update(text).digest('hex')}"`);
}

/**
 * Purges responses that show these posts from the platform's cache, after the answer and in a single request: only few
 * are allowed per minute. What is not purged expires within a minute.
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

/** There is no cache on a developer's machine. */
function hasCache(context: object): context is { cache: CacheContext } {
  return 'cache' in context && context.cache !== undefined;
}

function toTag(postId: string): string {
  return `post-${postId}`;
}
