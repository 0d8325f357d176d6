import { Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import { newPasskeySchema, stepUpSchema } from '#contract/passkeys.ts';
import type { AppEnv } from '#worker/http/context.ts';
import { requireJson, validate } from '#worker/http/validate.ts';
import { requireViewer } from '#worker/http/viewer.ts';
import { addPasskey, offerPasskey, offerStepUp, removePasskey, stepUp } from './ceremonies.ts';
import { assertSteppedUp, presentPasskey, readPasskeys, readStanding } from './passkeys.ts';

/** The routes of passkeys, below `/api`. */
export const passkeyRoutes = new Hono<AppEnv>()
  .get('/me/passkeys', requireViewer, async (c) => {
    const { passkeys } = await readPasskeys(c.var.db, c.var.viewer, Date.now());
    return c.json(passkeys.map(presentPasskey));
  })
  .post('/me/passkeys/options', requireViewer, async (c) => c.json(await offerPasskey(c, c.var.viewer)))
  .post('/me/passkeys', requireViewer, requireJson, validate('json', newPasskeySchema), async (c) =>
    c.json(await addPasskey(c, c.var.viewer, c.req.valid('json')), 201),
  )
  .delete('/me/passkeys/:id', requireViewer, async (c) => {
    await removePasskey(c, c.var.viewer, c.req.param('id'));
    return c.body(null, 204);
  })
  .post('/admin/step-up/options', requireViewer, async (c) => c.json(await offerStepUp(c, c.var.viewer)))
  .post('/admin/step-up', requireViewer, requireJson, validate('json', stepUpSchema), async (c) =>
    c.json(await stepUp(c, c.var.viewer, c.req.valid('json'))),
  );

/** Requires a passkey for all changes by platform admins. Ignores other people, whom the routes refuse later. */
export const requireStepUp = createMiddleware<AppEnv>(async (c, next) => {
  const { viewer, config, db } = c.var;
  if (viewer && config.passkeys.areNeeded && !/^(GET|HEAD)$/.test(c.req.method)) {
    const admin = await readStanding(db, viewer, Date.now());
    if (admin?.is_platform_admin === 1) assertSteppedUp(admin, config.passkeys);
  }
  await next();
});
