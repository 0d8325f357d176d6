import { Hono } from 'hono';
import { RETURNED_SHOWN_FROM } from '#contract/limits.ts';
import type { ReturnedThings } from '#contract/posts.ts';
import type { AppEnv } from '#worker/http/app-env.ts';
import { countReturned } from './returned-store.ts';

const KEPT_SECONDS = 60 * 60;

/** For the home page: reads one row, at most once an hour per browser. */
export const returnedRoutes = new Hono<AppEnv>().get('/', async (c) => {
  const count = await countReturned(c.var.db);
  c.header('Cache-Control', `public, max-age=${KEPT_SECONDS}`);
  return c.json({ count: count < RETURNED_SHOWN_FROM ? null : count } satisfies ReturnedThings);
});
