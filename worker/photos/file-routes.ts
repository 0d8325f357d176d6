import { Hono } from 'hono';
import { AppError } from '#worker/errors/app-error.ts';
import { answerPlainly } from '#worker/http/answer-plainly.ts';
import type { AppContext, AppEnv } from '#worker/http/app-env.ts';
import { keepAtEdge } from '#worker/http/edge-cache.ts';
import { photoAudienceOf } from '#worker/posts/index.ts';
import { askBucket } from './ask-bucket.ts';
import { isGranted } from './photo-address.ts';
import { fileNameOf, parseFileName, RENDITIONS, type Rendition } from './renditions.ts';
import { findPostOfPhoto } from './store.ts';

const FOR_EVERYBODY = 'public, max-age=86400';
/** After this time we no longer serve a removed photo; browsers may still have it. */
const KEPT_AT_EDGE_SECONDS = 60;
/** As long as a signed address stays the same (photo-address.ts). */
const FOR_ITS_AUDIENCE = 'private, max-age=3600';

/** Below `/photos`. An address works only for the photo's current audience. */
export const photoFileRoutes = new Hono<AppEnv>()
  .get('/:name', async (c, next) => (await answerFile(c, c.req.param('name'))) ?? next())
  .all('/*', (c) => answerPlainly(c, new AppError('not_found')));

/** Null if there is no such photo, or not for this client. */
async function answerFile(c: AppContext, asked: string): Promise<Response | null> {
  const file = parseFileName(asked);
  const post = file && (await findPostOfPhoto(c.var.db, file.photoId));
  if (!post) return null;
  const audience = photoAudienceOf(post);
  if (!isFor(c, audience, file)) return null;
  const name = fileNameOf(file.photoId, file.rendition);
  const object = await askBucket(() => c.env.PHOTOS.get(name, { onlyIf: c.req.raw.headers }));
  if (!object) return null;
  if (audience === null) keepAtEdge(c, KEPT_AT_EDGE_SECONDS, { postIds: [post.id] });
  const headers = {
    'Content-Type': RENDITIONS[file.rendition].type,
    'Cache-Control': audience === null ? FOR_EVERYBODY : FOR_ITS_AUDIENCE,
    ETag: object.httpEtag,
  };
  return 'body' in object ? c.body(object.body, 200, headers) : c.body(null, 304, headers);
}

/** Public photos have unsigned addresses, others need a valid signature. Link previews exist only for public photos. */
function isFor(
  c: AppContext,
  audience: string | null,
  { photoId, rendition }: { photoId: string; rendition: Rendition },
) {
  const query = c.req.query();
  if (audience === null) return query.signature === undefined;
  return rendition !== 'og' && isGranted(c.var.config.keys.photo, { photoId, audience }, query, Date.now());
}
