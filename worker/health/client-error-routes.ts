import { Hono } from 'hono';
import { clientErrorSchema } from '#contract/client-errors.ts';
import { CLIENT_ERROR_MAX_BYTES } from '#contract/limits.ts';
import { log } from '#worker/errors/log.ts';
import type { AppEnv } from '#worker/http/app-env.ts';
import { clientAddress } from '#worker/http/client-address.ts';
import { readBody } from '#worker/http/read-body.ts';
import { requireJson, validate } from '#worker/http/validate.ts';
import { allowancesOf } from '#worker/limits/networks.ts';
import { takeTurn } from '#worker/limits/turns.ts';

/** Logs errors in browsers, next to those of the Worker. */
export const clientErrorRoutes = new Hono<AppEnv>().post(
  '/',
  readBody(CLIENT_ERROR_MAX_BYTES),
  requireJson,
  validate('json', clientErrorSchema),
  async (c) => {
    const { name, frames } = c.req.valid('json');
    const { config, db } = c.var;
    await takeTurn(db, allowancesOf(config, 'client_error_address', clientAddress(c)), Date.now());
    log.warn('client_error', { name, frames });
    return c.body(null, 204);
  },
);
