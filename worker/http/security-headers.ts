import { createMiddleware } from 'hono/factory';
import { secureHeaders } from 'hono/secure-headers';
import type { AppEnv } from './app-env.ts';

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
 * The headers of every answer of the Worker; pages bring theirs, from web/public/_headers. An opened socket is left
 * alone: its 101 has immutable headers.
 */
export const securityHeaders = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  if (c.res.status === 101 || c.res.headers.has('Content-Security-Policy')) return;
  await setHeaders(c, async () => {});
});
