import { Hono } from 'hono';
import { accountRoutes } from './accounts/routes.ts';
import { feedbackRoutes } from './feedback/routes.ts';
import type { AppEnv } from './http/app-env.ts';
import { limitBody } from './http/body-limit.ts';
import { withConfiguration } from './http/configuration.ts';
import { answerError } from './http/errors.ts';
import { withLanguage } from './http/language.ts';
import { securityHeaders } from './http/security-headers.ts';
import { answerUnknown } from './http/unknown.ts';
import { withViewer } from './http/viewer.ts';
import { realtimeRoutes, socketRoutes } from './notices/routes.ts';
import { postRoutes } from './posts/routes.ts';

/** The whole HTTP map: what every request passes, in order, then the routes. The web app itself is static assets. */
export const app = new Hono<AppEnv>()
  .use(securityHeaders)
  .use(withLanguage)
  .use(withConfiguration)
  .use(limitBody)
  .use(withViewer)
  .route('/api', accountRoutes)
  .route('/api/posts', postRoutes)
  .route('/api/realtime', realtimeRoutes)
  .route('/api/feedback', feedbackRoutes)
  .route('/ws', socketRoutes);

app.notFound((c) => answerUnknown(app, c));
app.onError(answerError);
