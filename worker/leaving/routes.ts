import { Hono } from 'hono';
import { passwordAgainSchema } from '#contract/accounts.ts';
import { assertCurrentPassword } from '#worker/accounts/sign-in.ts';
import type { AppEnv } from '#worker/http/context.ts';
import { requireJson, validate } from '#worker/http/validate.ts';
import { requireViewer } from '#worker/http/viewer.ts';
import { allowanceOf, assertWithin, countOne } from '#worker/limits/allowance.ts';
import { leave } from './close-account.ts';
import { exportPerson } from './export-account.ts';

/** Routes below `/api/me`. */
export const leavingRoutes = new Hono<AppEnv>()
  .post('/export', requireViewer, requireJson, validate('json', passwordAgainSchema), async (c) => {
    const { config, db, viewer } = c.var;
    await assertCurrentPassword(c, viewer, c.req.valid('json').current_password);
    const now = Date.now();
    const allowance = allowanceOf(config, 'export', viewer.userId);
    const counted = await countOne(db, allowance, now);
    assertWithin(allowance, counted, now);
    const day = new Date(now).toISOString().slice(0, 'YYYY-MM-DD'.length);
    c.header('Content-Disposition', `attachment; filename="patikana-${day}.json"`);
    return c.json(await exportPerson(db, viewer.userId));
  })
  .delete('/', requireViewer, requireJson, validate('json', passwordAgainSchema), async (c) => {
    await assertCurrentPassword(c, c.var.viewer, c.req.valid('json').current_password);
    await leave(c, c.var.viewer);
    return c.body(null, 204);
  });
