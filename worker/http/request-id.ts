import { createMiddleware } from 'hono/factory';
import { workFor } from '#worker/errors/log.ts';
import { newId } from '#worker/identity/ids.ts';
import type { AppEnv } from './app-env.ts';

/**
 * Names the request, for people to quote and for the logs: `X-Request-Id` on every answer of the Worker, but for an
 * opened socket, whose 101 has immutable headers. One that the request brings is not taken: anybody could choose it.
 */
export const withRequestId = createMiddleware<AppEnv>(async (c, next) => {
  c.set('requestId', newId());
  await workFor({ request_id: c.var.requestId }, next);
  if (c.res.status !== 101) c.header('X-Request-Id', c.var.requestId);
});
