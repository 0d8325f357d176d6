import { Hono } from 'hono';
import type { AppEnv } from '#worker/http/app-env.ts';
import { requireViewer } from '#worker/http/viewer.ts';
import { countMatches } from './find-matches.ts';

/** One post's matches are read under the post itself (posts/routes.ts). */
export const matchRoutes = new Hono<AppEnv>().get('/counts', requireViewer, async (c) =>
  c.json(await countMatches(c.var.db, c.var.viewer)),
);
