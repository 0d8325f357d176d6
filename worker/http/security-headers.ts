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
 * The security headers of every response of the Worker. Pages have their own, from web/public/_headers. The 101 of a
 * socket is left alone, as its headers are immutable.
 */
export const securityHeaders = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  if (c.res.status === 101 || c.res.headers.has('Content-Security-Policy')) return;
  await setHeaders(c, async () => {});
});
