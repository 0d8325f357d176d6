import { Hono } from 'hono';
import {
  CARD_TEMPLATES_PATH,
  type CardTemplatesFile,
  FEED_PAGE_SIZE,
  FIRST_POSTS_COME,
  FIRST_POSTS_PLACE,
  type FirstPosts,
} from '#contract/first-posts.ts';
import { LANGUAGES } from '#contract/language.ts';
import { errorName, log } from '#worker/errors/log.ts';
import type { AppContext, AppEnv } from '#worker/http/context.ts';
import { keepAtEdge } from '#worker/http/edge-cache.ts';
import { withConfiguration } from '#worker/http/middleware.ts';
import { stopFloodsOfAddress } from '#worker/http/stop-floods.ts';
import { readNewest } from '#worker/posts/list-posts.ts';
import { renderCards, renderData } from './render-posts.ts';

/**
 * How long the page waits for the posts from the database. The time is short, because the app can load the posts later.
 */
const PATIENCE_MS = 300;
const KEPT_SECONDS = 15;

/** The route of /view-posts. For a URL without a query, it returns the built page with the newest posts added. */
export const discoverRoutes = new Hono<AppEnv>().use('/', async (c, next) => {
  // The handler `webApp` answers all methods except GET and HEAD.
  if (c.req.method !== 'GET' && c.req.method !== 'HEAD') return next();
  c.header('Vary', 'Sec-Fetch-Mode');
  if (!isOpened(c)) return passOn(c, await c.env.ASSETS.fetch(c.req.raw));
  const allowed = withConfiguration(c, async () => void (await stopFloodsOfAddress(c, async () => {})));
  const newest = waitFor(allowed.then(() => Promise.all([readFirstPosts(c), readTemplates(c)])));
  // Omits the browser's conditional headers. With them the answer could be 304, and the browser's copy has old posts or
  // none.
  const page = await c.env.ASSETS.fetch(new Request(c.req.url));
  if (!page.ok) return passOn(c, page);
  keepAtEdge(c, KEPT_SECONDS, 'newest posts');
  return passOn(c, await putPosts(page, newest));
});

/**
 * Whether a person opens the page without a query. Clients without the header `Sec-Fetch-Mode`, such as curl, count as
 * people.
 */
function isOpened(c: AppContext): boolean {
  const mode = c.req.header('Sec-Fetch-Mode') ?? 'navigate';
  return c.req.method === 'GET' && mode === 'navigate' && new URL(c.req.url).search === '';
}

type Newest = [FirstPosts, CardTemplatesFile];

async function readFirstPosts(c: AppContext): Promise<FirstPosts> {
  const at = new Date().toISOString();
  const { entries, nextCursor } = await readNewest(c.var.db, c.var.config, FEED_PAGE_SIZE);
  return { at, entries, next_cursor: nextCursor === null ? null : String(nextCursor) };
}

async function readTemplates(c: AppContext): Promise<CardTemplatesFile> {
  const file = await c.env.ASSETS.fetch(new Request(new URL(CARD_TEMPLATES_PATH, c.req.url)));
  return file.json();
}

/** Waits for the posts. Returns null if they fail to load or take too long. */
function waitFor(posts: Promise<Newest>): Promise<Newest | null> {
  const failed = posts.catch((error: unknown) => {
    log.warn('first_posts_missing', { name: errorName(error) });
    return null;
  });
  return Promise.race([failed, new Promise<null>((resolve) => setTimeout(resolve, PATIENCE_MS, null))]);
}

/**
 * Adds the posts to the page and streams it: the first part of the page is sent while the database is still working.
 */
async function putPosts(page: Response, newest: Promise<Newest | null>): Promise<Response> {
  const rewriter = new HTMLRewriter()
    .on('html', { element: (root) => void root.setAttribute(FIRST_POSTS_COME, '') })
    .on('#root', {
      async element(root) {
        const [posts] = (await newest) ?? [];
        if (posts) root.before(renderData(posts), { html: true });
      },
    });
  for (const language of LANGUAGES) {
    rewriter.on(`[data-prerendered="${language}"] [${FIRST_POSTS_PLACE}]`, {
      async element(place) {
        const [posts, templates] = (await newest) ?? [];
        if (!posts || !templates || posts.entries.length === 0) return;
        const shown = posts.entries.map(({ Post }) => Post);
        place.replace(renderCards(shown, templates[language], language, Date.now()), { html: true });
      },
    });
  }
  const headers = new Headers(page.headers);
  // These headers describe the original file, not the page with posts.
  headers.delete('ETag');
  headers.delete('Content-Length');
  return rewriter.transform(new Response(inTwo(await page.text(), newest), { headers }));
}

/**
 * Splits the page before the first place for posts, and delays the second part until the posts are read. HTMLRewriter
 * would send nothing while one of its handlers waits for the posts.
 */
function inTwo(page: string, newest: Promise<unknown>): ReadableStream<Uint8Array> {
  const at = page.indexOf(FIRST_POSTS_PLACE);
  const pieces = [page.slice(0, at), page.slice(at)].map((piece) => new TextEncoder().encode(piece));
  return new ReadableStream({
    async pull(controller) {
      const piece = pieces.shift();
      const isLast = pieces.length === 0;
      if (isLast) await newest;
      if (piece) controller.enqueue(piece);
      if (isLast) controller.close();
    },
  });
}

/** Combines the headers of web/public/_headers with those that the route has set. */
function passOn(c: AppContext, page: Response): Response {
  return c.newResponse(page.body, page);
}
