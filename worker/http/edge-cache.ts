import { etag, RETAINED_304_HEADERS } from 'hono/etag';
import { createMiddleware } from 'hono/factory';
import { log } from '#worker/errors/log.ts';
import { continueAfterAnswer } from './after-answer.ts';
import type { AppContext, AppEnv } from './app-env.ts';

// The platform looks into its cache before the Worker runs, by path and query alone: whoever asks, with whichever token
// and from whichever host, is given what is there (docs/decisions). So nothing gets there but what a route hands over.

/** For the platform's cache alone, which goes by it before `Cache-Control` and takes it off what browsers get. */
const EDGE_CONTROL = 'Cloudflare-CDN-Cache-Control';
const TAGS = 'Cache-Tag';
/** For a page that goes out before its posts are known. */
const NEWEST = 'newest-posts';
/** What the platform purges in one request, but for the tag above. */
export const PURGED_AT_ONCE = 99;

/** What stands in the answer: it goes when one of these posts is taken down, or of the newest any. */
type Contents = { postIds: readonly string[] } | 'newest posts';

/**
 * The one way into the platform's cache: for an answer that is the same for everybody who asks for this address.
 * Without `must-revalidate` the platform would go on serving it for as long as the Worker fails.
 */
export function keepAtEdge(c: AppContext, seconds: number, contents: Contents): void {
  c.header(EDGE_CONTROL, `public, max-age=${seconds}, must-revalidate`);
  const tags = contents === 'newest posts' ? [NEWEST] : contents.postIds.map(toTag);
  if (tags.length > 0) c.header(TAGS, tags.join(','));
}

/** Around every route: what none has handed over is kept by nobody, and by the platform not even what browsers may keep. */
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

/** Whatever the route says, no answer to a token or with a cookie is. */
function isForEverybody({ req, res }: AppContext): boolean {
  return req.header('Authorization') === undefined && !res.headers.has('Set-Cookie') && SHAREABLE.includes(res.status);
}

const tagAnswer = etag({ retainedHeaders: [...RETAINED_304_HEADERS, EDGE_CONTROL, TAGS, 'Link'] });

/** A visitor who has the same answer already is told so, and no more. */
export const withEtag = createMiddleware<AppEnv>((c, next) =>
  c.req.header('Authorization') === undefined ? tagAnswer(c, next) : next(),
);

/**
 * Takes the answers that these posts stand in out of the platform's cache, after the answer and in one request: few are
 * allowed a minute. What is refused, or more than that takes, runs out by itself within a minute.
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

/** A developer's machine has none. */
function hasCache(context: object): context is { cache: CacheContext } {
  return 'cache' in context && context.cache !== undefined;
}

function toTag(postId: string): string {
  return `post-${postId}`;
}
