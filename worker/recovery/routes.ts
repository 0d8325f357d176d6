import { Hono } from 'hono';
import { resetPasswordSchema, resetRequestSchema, type Success, verifyCodeSchema } from '#contract/recovery.ts';
import type { AppEnv } from '#worker/http/context.ts';
import { requireJson, validate } from '#worker/http/validate.ts';
import { assertGuess, CODE_LIFETIME_MS, requestCode, toGuess } from './reset-code.ts';
import { resetPassword } from './set-password.ts';

const SUCCESS: Success = { success: true };

export const recoveryRoutes = new Hono<AppEnv>()
  .post('/request-password-reset', requireJson, validate('json', resetRequestSchema), async (c) => {
    await requestCode(c, c.req.valid('json').whatsapp_number);
    return c.json(SUCCESS);
  })
  .post('/verify-code', requireJson, validate('json', verifyCodeSchema), async (c) => {
    await assertGuess(c, await toGuess(c, c.req.valid('json')), CODE_LIFETIME_MS);
    return c.json(SUCCESS);
  })
  .post('/reset-password', requireJson, validate('json', resetPasswordSchema), async (c) => {
    await resetPassword(c, c.req.valid('json'));
    return c.json(SUCCESS);
  });
