import { Hono } from 'hono';
import { emailChangeSchema, emailConfirmationSchema } from '#contract/email.ts';
import type { Success } from '#contract/recovery.ts';
import { assertCurrentPassword } from '#worker/accounts/index.ts';
import { AppError } from '#worker/errors/app-error.ts';
import type { AppEnv } from '#worker/http/app-env.ts';
import { requireJson, validate } from '#worker/http/validate.ts';
import { requireViewer } from '#worker/http/viewer.ts';
import { emailKey } from '#worker/identity/email-key.ts';
import { assertNotBarred, barOf, selectBars } from '#worker/limits/bars.ts';
import { digestToken } from './link-rules.ts';
import { redeemLink } from './link-store.ts';
import { sendLink } from './send-link.ts';

const SUCCESS: Success = { success: true };

/** Needs no session: people may open the link on another device. */
export const emailRoutes = new Hono<AppEnv>().post(
  '/confirm-email',
  requireJson,
  validate('json', emailConfirmationSchema),
  async (c) => {
    const digest = digestToken(c.var.config.keys.code, c.req.valid('json').token);
    if (!(await redeemLink(c.var.db, digest, Date.now()))) throw new AppError('invalid_code');
    return c.body(null, 204);
  },
);

/** Changes an account's e-mail. The old one stays until the link sent to the new one is opened. */
export const ownEmailRoutes = new Hono<AppEnv>().post(
  '/',
  requireViewer,
  requireJson,
  validate('json', emailChangeSchema),
  async (c) => {
    const { email, current_password } = c.req.valid('json');
    await assertCurrentPassword(c, c.var.viewer, current_password);
    assertNotBarred(await selectBars(c.var.db, [barOf(c.var.config, 'email', emailKey(email))], Date.now()));
    await sendLink(c, c.var.viewer, email);
    return c.json(SUCCESS);
  },
);
