import { createMiddleware } from 'hono/factory';
import { secureHeaders } from 'hono/secure-headers';
import { openDb } from '#worker/db/client.ts';
import { readConfig } from '#worker/env.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { log, workFor } from '#worker/errors/log.ts';
import { newId } from '#worker/identity/digests.ts';
import { answerPlainly } from './answer-error.ts';
import type { AppContext, AppEnv } from './context.ts';

/**
 * Gives the request an id, which appears in the logs and as `X-Request-Id` on every response of the Worker, except the
 * 101 of a socket, whose headers are immutable. Ignores an id sent by the client.
 */
export const withRequestId = createMiddleware<AppEnv>(async (c, next) => {
  c.set('requestId', newId());
  await workFor({ request_id: c.var.requestId }, next);
  if (c.res.status !== 101) c.header('X-Request-Id', c.var.requestId);
});

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

/** Logs requests in `AUDITED`, and all that admins read or change: only the route and the person, never the content. */
export const audit = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  const { method, path } = c.req;
  // This check comes first, because most requests are reads, and `routePath` is slow to look up.
  if (method === 'GET' && !path.startsWith('/api/admin/')) return;
  const { routePath: route } = c.req;
  if (!AUDITED.has(`${method} ${route}`) && !route.startsWith('/api/admin/')) return;
  // Many of these routes need no token, so there may be no viewer.
  const { viewer } = c.var as Partial<AppEnv['Variables']>;
  log.info('acted', { method, route, status: c.res.status, user_id: viewer?.userId ?? null });
});

/**
 * Parses the environment's variables and opens the request's database session. Without its secrets, the Worker answers
 * 503 (answer-error.ts).
 */
export const withConfiguration = createMiddleware<AppEnv>(async (c, next) => {
  c.set('config', readConfig(c.env));
  c.set('db', openDb(c.env));
  await next();
});

const setHeaders = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    objectSrc: ["'none'"],
    baseUri: ["'none'"],
    frameAncestors: ["'none'"],
  },
  permissionsPolicy: { camera: ['self'], microphone: [], geolocation: [], payment: [] },
  referrerPolicy: 'strict-origin-when-cross-origin',
  strictTransportSecurity: 'max-age=31536000; includeSubDomains',
  xFrameOptions: 'DENY',
});

/**
 * Adds security headers to the Worker's responses. HTML pages already have such headers, from web/public/_headers or
 * `pageHeaders`. The headers of a 101 response, which opens a WebSocket, are immutable.
 */
export const securityHeaders = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  if (c.res.status === 101 || c.res.headers.has('Content-Security-Policy')) return;
  await setHeaders(c, async () => {});
});

/** For routes that exist only on a developer's machine, where the WhatsApp transport is `local`. */
export const requireLocalTransport = createMiddleware<AppEnv>(async (c, next) => {
  if (c.var.config.whatsapp.transport !== 'local') throw new AppError('not_found');
  await next();
});

/**
 * Below these paths the Worker's routes answer every URL, even an unknown one, so the web app's page is never sent.
 * `/dev` is for developers only.
 */
const ROUTES = /^\/(api|ws|dev|p|photos)(\/|$)/i;

/**
 * Answers requests for what is neither a route nor a file of the build. Navigation to a URL of the web app gets the
 * app's page; anything else gets a plain 404. Cloudflare's own single-page fallback would send the page even for a
 * script that a deploy has removed, and browsers would cache the page as the script for a year.
 */
export const webApp = createMiddleware<AppEnv>(async (c, next) => {
  const { path, method, raw } = c.req;
  if (ROUTES.test(path)) return next();
  if (!isAppAddress(path)) return answerPlainly(c, new AppError('not_found'));
  if (method !== 'GET' && method !== 'HEAD') {
    c.header('Allow', 'GET, HEAD');
    return answerPlainly(c, new AppError('method_not_allowed'));
  }
  if (!isNavigation(c)) return answerPlainly(c, new AppError('not_found'));
  // ASSETS adds the headers of web/public/_headers, and answers 304 if the browser already has the page.
  return c.env.ASSETS.fetch(new Request(new URL('/', raw.url), raw));
});

/** Whether the request is for a page. Browsers say so in a header; clients without it, such as curl, get the page. */
function isNavigation(c: AppContext): boolean {
  return c.req.header('Sec-Fetch-Mode') === 'navigate' || c.req.header('Sec-Fetch-Dest') === undefined;
}

/** Paths that never belong to the web app: the build's files, and the Worker's own pages and pictures. */
const NO_APP = /^\/(assets|p|photos)(\/|$)/;

/** Whether a URL without a file or a route belongs to the web app, whose router decides what to show. */
export function isAppAddress(path: string): boolean {
  // A path with a dot names a file. Cloudflare serves existing files without the Worker, so this file is missing.
  return !NO_APP.test(path) && !path.includes('.');
}
