import { Hono } from 'hono';
import { except } from 'hono/combine';
import { BODY_MAX_BYTES } from '#contract/limits.ts';
import { noteUse } from '#worker/accounts/devices.ts';
import { accountRoutes, meRoutes } from '#worker/accounts/routes.ts';
import { adminRoutes } from '#worker/admin/routes.ts';
import { communityRoutes } from '#worker/communities/routes.ts';
import { devRoutes, matchDevRoutes } from '#worker/dev/routes.ts';
import { emailRoutes, ownEmailRoutes } from '#worker/email/routes.ts';
import { clientErrorRoutes, healthRoutes } from '#worker/health/routes.ts';
import { answerError, answerUnknown } from '#worker/http/answer-error.ts';
import { type AppEnv, withLanguage } from '#worker/http/context.ts';
import { audit, securityHeaders, webApp, withConfiguration, withRequestId } from '#worker/http/middleware.ts';
import { readBody } from '#worker/http/validate.ts';
import { matchRoutes } from '#worker/matching/routes.ts';
import { moderationRoutes } from '#worker/moderation/routes.ts';
import { noticeRoutes } from '#worker/notices/routes.ts';
import { shareRoutes } from '#worker/pages/share-post.ts';
import { discoverRoutes } from '#worker/pages/view-posts.ts';
import { passkeyRoutes, requireStepUp } from '#worker/passkeys/routes.ts';
import { photoFileRoutes, photoRoutes } from '#worker/photos/routes.ts';
import { blockRoutes } from './blocks/routes.ts';
import { claimRoutes } from './claims/routes.ts';
import { isLocalTransport } from './env.ts';
import { feedbackRoutes } from './feedback/routes.ts';
import { keepNothingElse } from './http/edge-cache.ts';
import { describeApi } from './http/openapi.ts';
import { stopFloodsOfAddress, stopFloodsOfPerson, stopFloodsOfPhotos } from './http/stop-floods.ts';
import { withPossibleViewer, withViewer } from './http/viewer.ts';
import { leavingRoutes } from './leaving/routes.ts';
import { postRoutes } from './posts/routes.ts';
import { pushKeyRoutes, pushRoutes } from './push/routes.ts';
import { realtimeRoutes, socketRoutes } from './realtime/routes.ts';
import { recoveryRoutes } from './recovery/routes.ts';
import { whatsappRoutes } from './whatsapp/routes.ts';

const readSmallBody = except('/api/posts/:id/photos', readBody(BODY_MAX_BYTES));

/**
 * All middleware and routes, in the order in which they run. Cloudflare serves the web app's files without the Worker,
 * except the page `/view-posts`.
 */
export const app = new Hono<AppEnv>()
  .use(withRequestId)
  .use(audit)
  .use(keepNothingElse)
  .use(securityHeaders)
  .use(withLanguage)
  // The web app's build writes the page `/view-posts` as a file. The Worker adds posts from the database to the page.
  .route('/view-posts', discoverRoutes)
  // The app's page and the API description come before `withConfiguration`, because they need no secrets.
  .use(webApp)
  .get('/api/openapi.json', (c) => c.json(describeApi(isLocalTransport(c.env))))
  // The routes below `/p` answer with HTML pages, even for errors. They use `withConfiguration` themselves, so that
  // their own error handler also answers errors of the configuration.
  .route('/p', shareRoutes)
  .use(withConfiguration)
  .route('/api/health', healthRoutes)
  .use('/photos/*', stopFloodsOfPhotos)
  .route('/photos', photoFileRoutes)
  .use(withPossibleViewer)
  .use(stopFloodsOfAddress)
  .use(stopFloodsOfPerson)
  // The WhatsApp routes come before the limit on body size, because Meta's payloads are larger than other bodies.
  .route('/api/whatsapp', whatsappRoutes)
  // Limits the size of bodies. The route that uploads photos has its own, larger limit.
  .use((c, next) => (c.req.raw.body === null ? next() : readSmallBody(c, next)))
  // These routes come before `withViewer`, which refuses an expired token. People who sign in or reset a password may
  // send such a token.
  .route('/api/auth', recoveryRoutes)
  .route('/api', emailRoutes)
  .route('/api', accountRoutes)
  .route('/api/push', pushKeyRoutes)
  .route('/api/feedback', feedbackRoutes)
  .route('/api/client-errors', clientErrorRoutes)
  .use(withViewer)
  .use(noteUse)
  .route('/api', meRoutes)
  .route('/api/me', leavingRoutes)
  .route('/api/me/email', ownEmailRoutes)
  .route('/api/posts', postRoutes)
  .route('/api/posts', photoRoutes)
  .route('/api', blockRoutes)
  .route('/api/push', pushRoutes)
  .route('/api', claimRoutes)
  .route('/api', communityRoutes)
  .route('/api', passkeyRoutes)
  .use('/api/admin/*', requireStepUp)
  .route('/api', adminRoutes)
  .route('/api', moderationRoutes)
  .route('/api', matchRoutes)
  .route('/api', noticeRoutes)
  .route('/api/realtime', realtimeRoutes)
  .route('/api/dev', devRoutes)
  .route('/dev', matchDevRoutes)
  .route('/ws', socketRoutes);

app.notFound((c) => answerUnknown(app, c));
app.onError(answerError);
