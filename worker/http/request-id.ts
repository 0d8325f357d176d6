import { createMiddleware } from 'hono/factory';
import { workFor } from '#worker/errors/log.ts';
import { newId } from '#worker/identity/ids.ts';
import type { AppEnv } from './app-env.ts';

/**
 * Gives the request an id for the logs, and for people to quote: `X-Request-Id` on every response of the Worker, except
 * the 101 of a socket, whose headers are immutable. An id sent by the client is ignored.
 */
export const withRequestId = createMiddleware<AppEnv>(async (c, next) => {
  c.set('requestId', newId());
  await workFor({ request_id: c.var.requestId }, next);
  if (c.res.status !== 101) c.header('X-Request-Id', c.var.requestId);
});
