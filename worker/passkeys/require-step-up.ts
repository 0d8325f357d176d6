import { createMiddleware } from 'hono/factory';
import type { AppEnv } from '#worker/http/app-env.ts';
import { assertSteppedUp } from './passkey-rules.ts';
import { readStanding } from './store.ts';

/** Guards all changes by platform admins. Everybody else passes, and is refused by the routes themselves. */
export const requireStepUp = createMiddleware<AppEnv>(async (c, next) => {
  const { viewer, config, db } = c.var;
  if (viewer && config.passkeys.areNeeded && !/^(GET|HEAD)$/.test(c.req.method)) {
    const admin = await readStanding(db, viewer, Date.now());
    if (admin?.is_platform_admin === 1) assertSteppedUp(admin, config.passkeys);
  }
  await next();
});
