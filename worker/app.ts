import { Hono } from 'hono';
import { except } from 'hono/combine';
import { BODY_MAX_BYTES } from '#contract/limits.ts';
import { accountRoutes, meRoutes } from './accounts/routes.ts';
import { adminRoutes } from './admin/routes.ts';
import { switchRoutes } from './admin/switch-routes.ts';
import { blockRoutes, claimBlockRoutes, postBlockRoutes } from './blocks/routes.ts';
import { claimRoutes, postClaimRoutes } from './claims/routes.ts';
import { joinRequestRoutes } from './communities/request-routes.ts';
import { communityRoutes } from './communities/routes.ts';
import { communityStepRoutes } from './communities/step-routes.ts';
import { noteUse } from './devices/index.ts';
import { deviceRoutes } from './devices/routes.ts';
import { discoverRoutes } from './discover/routes.ts';
import { emailDevRoutes } from './email/dev-routes.ts';
import { emailRoutes, ownEmailRoutes } from './email/routes.ts';
import { unsubscribeRoutes } from './email/unsubscribe-routes.ts';
import { isLocalTransport } from './env.ts';
import { feedbackRoutes } from './feedback/routes.ts';
import { clientErrorRoutes } from './health/client-error-routes.ts';
import { healthRoutes } from './health/routes.ts';
import { answerError } from './http/answer-error.ts';
import type { AppEnv } from './http/app-env.ts';
import { audit } from './http/audit.ts';
import { withConfiguration } from './http/configuration.ts';
import { keepNothingElse } from './http/edge-cache.ts';
import { withLanguage } from './http/language.ts';
import { answerUnknown } from './http/not-found.ts';
import { describeApi } from './http/openapi.ts';
import { readBody } from './http/read-body.ts';
import { withRequestId } from './http/request-id.ts';
import { securityHeaders } from './http/security-headers.ts';
import { stopFloodsOfAddress, stopFloodsOfPerson, stopFloodsOfPhotos } from './http/stop-floods.ts';
import { withPossibleViewer, withViewer } from './http/viewer.ts';
import { webApp } from './http/web-app.ts';
import { leavingRoutes } from './leaving/routes.ts';
import { matchDevRoutes } from './matching/dev-routes.ts';
import { identifierRoutes } from './matching/identifier-routes.ts';
import { matchRoutes } from './matching/routes.ts';
import { claimReportRoutes, communityModerationRoutes, moderationRoutes, reportRoutes } from './moderation/routes.ts';
import { suspensionRoutes } from './moderation/suspension-routes.ts';
import { noticeRoutes } from './notices/routes.ts';
import { numberRoutes, ownNumberRoutes } from './numbers/routes.ts';
import { requireStepUp } from './passkeys/index.ts';
import { passkeyRoutes, stepUpRoutes } from './passkeys/routes.ts';
import { PERSONAL_DATA } from './personal-data.ts';
import { photoFileRoutes } from './photos/file-routes.ts';
import { photoRoutes } from './photos/routes.ts';
import { postEndRoutes } from './posts/end-routes.ts';
import { postRoutes } from './posts/routes.ts';
import { pushKeyRoutes, pushRoutes } from './push/routes.ts';
import { noticeSettingsRoutes } from './reach/routes.ts';
import { realtimeRoutes, socketRoutes } from './realtime/routes.ts';
import { recoveryRoutes } from './recovery/routes.ts';
import { shareRoutes } from './sharing/routes.ts';
import { devRoutes } from './whatsapp/dev-routes.ts';
import { whatsappRoutes } from './whatsapp/routes.ts';

const readSmallBody = except('/api/posts/:id/photos', readBody(BODY_MAX_BYTES));

/** The whole HTTP map: the middleware in order, then the routes. The web app's files never come here. */
export const app = new Hono<AppEnv>()
  .use(withRequestId)
  .use(audit)
  .use(keepNothingElse)
  .use(securityHeaders)
  .use(withLanguage)
  // One of the build's pages, but with data from the database in it.
  .route('/view-posts', discoverRoutes)
  // Before the configuration, as the app's page and the API description need no secrets.
  .use(webApp)
  .get('/api/openapi.json', (c) => c.json(describeApi(isLocalTransport(c.env))))
  // Pages for people, with their own error pages.
  .route('/p', shareRoutes)
  .use(withConfiguration)
  .route('/api/health', healthRoutes)
  .use('/photos/*', stopFloodsOfPhotos)
  .route('/photos', photoFileRoutes)
  .use(withPossibleViewer)
  .use(stopFloodsOfAddress)
  .use(stopFloodsOfPerson)
  // Before the body limit, as Meta's payloads are larger than any other body.
  .route('/api/whatsapp', whatsappRoutes)
  // Photos have a larger limit of their own.
  .use((c, next) => (c.req.raw.body === null ? next() : readSmallBody(c, next)))
  // Before the viewer: people who sign in or reset a password may send an expired token.
  .route('/api/auth', recoveryRoutes)
  .route('/api/auth', numberRoutes)
  .route('/api/auth', emailRoutes)
  .route('/api/email', unsubscribeRoutes)
  .route('/api', accountRoutes)
  .route('/api/push', pushKeyRoutes)
  .route('/api/feedback', feedbackRoutes)
  .route('/api/client-errors', clientErrorRoutes)
  .use(withViewer)
  .use(noteUse)
  .route('/api', meRoutes)
  .route('/api/me', deviceRoutes)
  .route('/api/me', leavingRoutes(PERSONAL_DATA))
  .route('/api/me/whatsapp-number', ownNumberRoutes)
  .route('/api/me/email', ownEmailRoutes)
  .route('/api/posts', postRoutes)
  .route('/api/posts', postEndRoutes)
  .route('/api/posts', postBlockRoutes)
  .route('/api/posts', photoRoutes)
  .route('/api/me/blocks', blockRoutes)
  .route('/api/me/notice-settings', noticeSettingsRoutes)
  .route('/api/push', pushRoutes)
  .route('/api/posts', reportRoutes)
  .route('/api/posts', postClaimRoutes)
  .route('/api/claims', claimRoutes)
  .route('/api/claims', claimBlockRoutes)
  .route('/api/claims', claimReportRoutes)
  .route('/api/communities', communityRoutes)
  .route('/api/communities', communityStepRoutes)
  .route('/api/communities', joinRequestRoutes)
  .route('/api/communities', communityModerationRoutes)
  .route('/api/me/passkeys', passkeyRoutes)
  .route('/api/admin/step-up', stepUpRoutes)
  .use('/api/admin/*', requireStepUp)
  .route('/api/admin', adminRoutes)
  .route('/api/admin', switchRoutes)
  .route('/api/admin', moderationRoutes)
  .route('/api/admin', suspensionRoutes)
  .route('/api/matches', matchRoutes)
  .route('/api/identifiers', identifierRoutes)
  .route('/api/notices', noticeRoutes)
  .route('/api/realtime', realtimeRoutes)
  .route('/api/dev', devRoutes)
  .route('/api/dev', emailDevRoutes)
  .route('/dev', matchDevRoutes)
  .route('/ws', socketRoutes);

app.notFound((c) => answerUnknown(app, c));
app.onError(answerError);
