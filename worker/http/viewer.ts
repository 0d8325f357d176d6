import { createMiddleware } from 'hono/factory';
import { AppError } from '#worker/errors/app-error.ts';
import { verifySessionToken } from '#worker/identity/session-token.ts';
import type { AppEnv, SignedInEnv } from './app-env.ts';

/**
 * Reads the bearer token. Without one the viewer is a visitor; with a bad one the answer is 401 on every route,
 * so that a client with an expired session learns it at once.
 */
export const withViewer = createMiddleware<AppEnv>(async (c, next) => {
  const header = c.req.header('Authorization');
  if (header === undefined) {
    c.set('viewer', null);
  } else {
    const token = /^Bearer +(\S+) *$/i.exec(header)?.[1];
    const viewer = token ? await verifySessionToken(c.var.config.keys.session, token) : null;
    if (!viewer) throw new AppError('unauthorized');
    c.set('viewer', viewer);
  }
  await next();
});

export const requireViewer = createMiddleware<SignedInEnv>(async (c, next) => {
  if (!c.var.viewer) throw new AppError('unauthorized');
  await next();
});
