import { Hono } from 'hono';
import { passwordAgainSchema } from '#contract/leaving.ts';
import { assertCurrentPassword } from '#worker/accounts/index.ts';
import type { PersonalData } from '#worker/db/personal-data.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { log } from '#worker/errors/log.ts';
import { logUnexpected } from '#worker/http/answer-error.ts';
import type { AppContext, AppEnv } from '#worker/http/app-env.ts';
import { requireJson, validate } from '#worker/http/validate.ts';
import { requireViewer } from '#worker/http/viewer.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { allowanceOf, assertWithin, countOne } from '#worker/limits/allowance.ts';
import { deliverNotices } from '#worker/notices/index.ts';
import { erase } from './erase.ts';
import { exportOf } from './export.ts';
import { closeAccount } from './store.ts';

/** Below `/api/me`. @param data the personal data of every noun. */
export function leavingRoutes(data: readonly PersonalData[]) {
  return new Hono<AppEnv>()
    .post('/export', requireViewer, requireJson, validate('json', passwordAgainSchema), async (c) => {
      const { config, db, viewer } = c.var;
      await assertCurrentPassword(c, viewer, c.req.valid('json').current_password);
      const now = Date.now();
      const allowance = allowanceOf(config, 'export', viewer.userId);
      const [counted] = await countOne(db, allowance, now);
      assertWithin(allowance, counted, now);
      const day = new Date(now).toISOString().slice(0, 'YYYY-MM-DD'.length);
      c.header('Content-Disposition', `attachment; filename="patikana-${day}.json"`);
      return c.json(await exportOf(db, data, viewer.userId));
    })
    .delete('/', requireViewer, requireJson, validate('json', passwordAgainSchema), async (c) => {
      await assertCurrentPassword(c, c.var.viewer, c.req.valid('json').current_password);
      await leave(c, c.var.viewer, data);
      return c.body(null, 204);
    });
}

/**
 * Closes and erases the account. Once it is closed the request succeeds: the sweep finishes what fails.
 * @throws AppError last_admin.
 */
async function leave(c: AppContext, viewer: Viewer, data: readonly PersonalData[]): Promise<void> {
  const { env } = c;
  const { db } = c.var;
  const now = Date.now();
  const closed = await closeAccount(db, viewer, now);
  if (!closed) throw new AppError('last_admin');
  log.info('account_closed', { is_waiting: closed.erasure.erase_at > now });
  try {
    await deliverNotices(env, db, closed.noticeIds);
    await erase(env, db, data, closed.erasure, now);
  } catch (error) {
    logUnexpected(error, c);
  }
}
