import { createMiddleware } from 'hono/factory';
import { AppError } from '#worker/errors/app-error.ts';
import { verifySessionToken } from '#worker/identity/session-token.ts';
import type { SessionViewer } from '#worker/identity/viewer.ts';
import type { AppContext, AppEnv, SignedInEnv } from './context.ts';

/**
 * Reads the bearer token. Without one the viewer is a visitor. A bad token is a 401 on every route, so that a client
 * notices an expired session immediately.
 */
export const withViewer = createMiddleware<AppEnv>(async (c, next) => {
  const viewer = c.var.viewer ?? (await readToken(c));
  if (!viewer && c.req.header('Authorization') !== undefined) throw new AppError('unauthorized');
  c.set('viewer', viewer);
  await next();
});

/**
 * Like `withViewer`, but treats a viewer with a bad token as a visitor. Used before routes that require a valid token,
 * for example by flood limits, and on routes where people get a new token.
 */
export const withPossibleViewer = createMiddleware<AppEnv>(async (c, next) => {
  c.set('viewer', await readToken(c));
  await next();
});

async function readToken(c: AppContext): Promise<SessionViewer | null> {
  const token = /^Bearer +(\S+) *$/i.exec(c.req.header('Authorization') ?? '')?.[1];
  return token ? verifySessionToken(c.var.config.keys.session, token) : null;
}

export const requireViewer = createMiddleware<SignedInEnv>(async (c, next) => {
  if (!c.var.viewer) throw new AppError('unauthorized');
  await next();
});
