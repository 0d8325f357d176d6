import { Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { photoAudienceOf } from '#worker/conditions/posts.ts';
import { answerError } from '#worker/http/answer-error.ts';
import { type AppContext, type AppEnv, readAppOrigin } from '#worker/http/context.ts';
import { keepAtEdge, withEtag } from '#worker/http/edge-cache.ts';
import { pageHeaders } from '#worker/http/html-page.ts';
import { withConfiguration } from '#worker/http/middleware.ts';
import { stopFloodsOfAddress } from '#worker/http/stop-floods.ts';
import { findOgPicture } from '#worker/photos/present-photos.ts';
import { findPost } from '#worker/posts/find-post.ts';
import { presentToAnybody } from '#worker/posts/present-post.ts';
import {
  chooseShareLanguage,
  type Place,
  renderAbsent,
  renderFailure,
  renderForMembers,
  renderPost,
  SHARE_STYLE,
} from './share-page.ts';

/** How long Cloudflare may cache the page, and so how long a hidden or deleted post may still be shown. */
const KEPT_SECONDS = 60;

/** The routes of /p/{id}: a post for people who get its link, without the app or an account (docs/product.md V19). */
export const shareRoutes = new Hono<AppEnv>()
  .use(pageHeaders({ style: SHARE_STYLE, hasPictures: true }))
  .use(withEtag)
  .use(withConfiguration)
  .use(stopFloodsOfAddress)
  .get('/:id', async (c) => {
    const place = placeOf(c, c.req.param('id'));
    const row = await findPost(c.var.db, null, place.postId);
    const shown = presentToAnybody(row, c.var.config);
    keepShortly(c, row ? [row.id] : []);
    if (!row || shown === 'absent') return c.html(renderAbsent(place), 404);
    if (shown === 'for_members') return c.html(renderForMembers(place));
    return c.html(renderPost(shown, findOgPicture(row.photos, photoAudienceOf(row)), place));
  })
  .get('/*', (c) => {
    keepShortly(c, []);
    return c.html(renderAbsent(placeOf(c, '')), 404);
  });

shareRoutes.onError((error, c) => {
  const { status } = answerError(error, c);
  c.header('Cache-Control', 'no-store');
  // If an error occurs before the route is found, `c.req.param` is empty, so the id is read from the path.
  const [, , postId = ''] = c.req.path.split('/');
  return c.html(renderFailure(placeOf(c, postId)), status as ContentfulStatusCode);
});

/** Returns the app's origin. If the Worker's variables are incomplete, the error page uses the request's origin. */
function originOf(c: AppContext): string {
  return c.var.config === undefined ? new URL(c.req.url).origin : readAppOrigin(c);
}

function placeOf(c: AppContext, postId: string): Place {
  const language = chooseShareLanguage(c.req.query('lang'), c.req.header('Accept-Language'));
  return { origin: originOf(c), postId, language };
}

function keepShortly(c: AppContext, postIds: string[]): void {
  c.header('Cache-Control', `public, max-age=${KEPT_SECONDS}`);
  c.header('Vary', 'Accept-Language');
  keepAtEdge(c, KEPT_SECONDS, { postIds });
}
