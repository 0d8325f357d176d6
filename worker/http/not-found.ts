import type { Hono } from 'hono';
import { AppError } from '#worker/errors/app-error.ts';
import { answerError } from './answer-error.ts';
import type { AppContext, AppEnv } from './app-env.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** A known path asked with another method is 405 with `Allow`; anything else under /api or /ws is 404. */
export function answerUnknown(app: Hono<AppEnv>, c: AppContext): Response {
  const allowed = METHODS.filter((method) => hasRoute(app, method, c.req.path));
  if (allowed.length === 0) return answerError(new AppError('not_found'), c);
  c.header('Allow', allowed.join(', '));
  return answerError(new AppError('method_not_allowed'), c);
}

/** Middleware is registered for the method ALL; everything else is a route. */
function hasRoute(app: Hono<AppEnv>, method: string, path: string): boolean {
  const [matches] = app.router.match(method, path);
  return matches.some(([[, route]]) => route.method !== 'ALL');
}
