import { createMiddleware } from 'hono/factory';
import type { AppEnv } from '#worker/http/app-env.ts';
import { assertSteppedUp } from './passkey-rules.ts';
import { readStanding } from './store.ts';

/** Before everything that platform admins change. To everybody else the routes behind it say themselves that it is not theirs. */
export const requireStepUp = createMiddleware<AppEnv>(async (c, next) => {
  const { viewer, config, db } = c.var;
  if (viewer && config.passkeys.areNeeded && !/^(GET|HEAD)$/.test(c.req.method)) {
    const admin = await readStanding(db, viewer, Date.now());
    if (admin?.is_platform_admin === 1) assertSteppedUp(admin, config.passkeys);
  }
  await next();
});
