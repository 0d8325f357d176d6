import { createMiddleware } from 'hono/factory';
import { log } from '#worker/errors/log.ts';
import type { AppEnv } from './app-env.ts';

/**
 * Requests that change who can act as an account, or export its data. Signing in has its own log events
 * (worker/accounts).
 */
const AUDITED = new Set([
  'POST /api/users',
  'POST /api/auth/request-password-reset',
  'POST /api/auth/verify-code',
  'POST /api/auth/reset-password',
  'POST /api/auth/confirm-email',
  'POST /api/me/password',
  'POST /api/me/sign-out-everywhere',
  'DELETE /api/me/devices/:id',
  'POST /api/me/whatsapp-number/confirm',
  'POST /api/me/email',
  'POST /api/me/export',
  'DELETE /api/me',
  'POST /api/me/passkeys',
  'DELETE /api/me/passkeys/:id',
]);

/** Logs who made or tried such a request, and all that admins read or change: the route only, never the content. */
export const audit = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  const { method, path } = c.req;
  // First, because most requests are reads and `routePath` is looked up each time.
  if (method === 'GET' && !path.startsWith('/api/admin/')) return;
  const { routePath: route } = c.req;
  if (!AUDITED.has(`${method} ${route}`) && !route.startsWith('/api/admin/')) return;
  // Many of these routes need no token, so there may be no viewer.
  const { viewer } = c.var as Partial<AppEnv['Variables']>;
  log.info('acted', { method, route, status: c.res.status, user_id: viewer?.userId ?? null });
});
