import { Hono } from 'hono';
import { emailChangeSchema, emailConfirmationSchema } from '#contract/channels.ts';
import type { Success } from '#contract/recovery.ts';
import { AppError } from '#worker/errors/app-error.ts';
import type { AppEnv } from '#worker/http/context.ts';
import { pageHeaders } from '#worker/http/html-page.ts';
import { requireJson, validate } from '#worker/http/validate.ts';
import { requireViewer } from '#worker/http/viewer.ts';
import { changeEmail, digestToken, redeemLink } from './prove-email.ts';
import { findUnsubscriber, renderDone, renderInvalid, renderQuestion, STYLE, switchEmailOff } from './unsubscribe.ts';

const SUCCESS: Success = { success: true };

export const ownEmailRoutes = new Hono<AppEnv>().post(
  '/',
  requireViewer,
  requireJson,
  validate('json', emailChangeSchema),
  async (c) => {
    await changeEmail(c, c.var.viewer, c.req.valid('json'));
    return c.json(SUCCESS);
  },
);

/** Routes below `/api`. */
export const emailRoutes = new Hono<AppEnv>()
  // This route needs no session, because people may open the link on another device.
  .post('/auth/confirm-email', requireJson, validate('json', emailConfirmationSchema), async (c) => {
    const digest = digestToken(c.var.config.keys.code, c.req.valid('json').token);
    if (!(await redeemLink(c.var.db, digest, Date.now()))) throw new AppError('invalid_code');
    return c.body(null, 204);
  })
  // The URLs in List-Unsubscribe headers (RFC 8058). Mail programs send a POST. A person who opens the URL sends a GET.
  .use('/email/unsubscribe/*', pageHeaders({ style: STYLE, hasForm: true, isSecret: true }))
  .use('/email/unsubscribe/*', async (c, next) => {
    await next();
    c.header('Cache-Control', 'no-store');
  })
  .get('/email/unsubscribe/:value', async (c) => {
    const userId = await findUnsubscriber(c, c.req.param('value'));
    return userId === null ? c.html(renderInvalid(c.var.language), 404) : c.html(renderQuestion(c.var.language));
  })
  .post('/email/unsubscribe/:value', async (c) => {
    const userId = await findUnsubscriber(c, c.req.param('value'));
    if (userId === null) return c.html(renderInvalid(c.var.language), 404);
    await switchEmailOff(c.var.db, userId);
    return c.html(renderDone(c.var.language));
  });
