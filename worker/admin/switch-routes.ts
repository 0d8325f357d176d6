import { Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import { switchesSchema } from '#contract/operating.ts';
import type { AppEnv, SignedInEnv } from '#worker/http/app-env.ts';
import { requireJson, validate } from '#worker/http/validate.ts';
import { requireViewer } from '#worker/http/viewer.ts';
import { forgetSwitches } from '#worker/switches/index.ts';
import { readSwitches, writeSwitches } from './switch-store.ts';

/** Runs before the body is parsed, so that others than admins get a 403 whatever they send. */
const requirePlatformAdmin = createMiddleware<SignedInEnv>(async (c, next) => {
  await readSwitches(c.var.db, c.var.viewer);
  await next();
});

/** Below `/api/admin`. */
export const switchRoutes = new Hono<AppEnv>()
  .get('/switches', requireViewer, async (c) => c.json(await readSwitches(c.var.db, c.var.viewer)))
  .put('/switches', requireViewer, requirePlatformAdmin, requireJson, validate('json', switchesSchema), async (c) => {
    const switches = c.req.valid('json');
    await writeSwitches(c.var.db, c.var.viewer, switches);
    forgetSwitches();
    return c.json(switches);
  });
