import { createMiddleware } from 'hono/factory';
import { log } from '#worker/errors/log.ts';
import type { AppEnv } from './app-env.ts';

/** What changes who may act as somebody, or carries off what is theirs. Signing in says more by itself (worker/accounts). */
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

/** Logs who did such a thing, or tried to, and everything that admins read or change: by its route, never with its content. */
export const audit = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  const { method, path } = c.req;
  // Before the route is asked for, which is looked up anew each time: most requests are reads.
  if (method === 'GET' && !path.startsWith('/api/admin/')) return;
  const { routePath: route } = c.req;
  if (!AUDITED.has(`${method} ${route}`) && !route.startsWith('/api/admin/')) return;
  // Whoever is nobody's viewer is not known here: many of these need no token.
  const { viewer } = c.var as Partial<AppEnv['Variables']>;
  log.info('acted', { method, route, status: c.res.status, user_id: viewer?.userId ?? null });
});
