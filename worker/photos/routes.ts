import { Hono } from 'hono';
import { PHOTO_MAX_BYTES } from '#contract/limits.ts';
import { newPhotoQuerySchema, PHOTO_TYPES, photoChangeSchema } from '#contract/photos.ts';
import { requireSwitchedOn } from '#worker/admin/switches.ts';
import { photoAudienceOf } from '#worker/conditions/posts.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { answerPlainly } from '#worker/http/answer-error.ts';
import type { AppContext, AppEnv } from '#worker/http/context.ts';
import { keepAtEdge } from '#worker/http/edge-cache.ts';
import { readBody, requireJson, requireMediaType, validate } from '#worker/http/validate.ts';
import { requireViewer } from '#worker/http/viewer.ts';
import { addPhoto } from './add-photo.ts';
import { changePhoto, deletePhoto } from './change-photo.ts';
import { askBucket } from './objects.ts';
import { fileNameOf, findPostOfPhoto, isGranted, parseFileName, RENDITIONS, type Rendition } from './present-photos.ts';

const requirePhotos = requireSwitchedOn('photos');

/** The routes of photos, below `/api/posts`. */
export const photoRoutes = new Hono<AppEnv>()
  .post(
    '/:id/photos',
    requireViewer,
    requirePhotos,
    requireMediaType(...PHOTO_TYPES),
    readBody(PHOTO_MAX_BYTES),
    validate('query', newPhotoQuerySchema),
    async (c) => c.json(await addPhoto(c, c.var.viewer, c.req.param('id'), c.req.valid('query').alt), 201),
  )
  .patch(
    '/:id/photos/:photoId',
    requireViewer,
    requirePhotos,
    requireJson,
    validate('json', photoChangeSchema),
    async (c) => c.json(await changePhoto(c, c.var.viewer, { ...c.req.valid('json'), ...photoOf(c.req.param()) })),
  )
  .delete('/:id/photos/:photoId', requireViewer, async (c) => {
    await deletePhoto(c, c.var.viewer, photoOf(c.req.param()));
    return c.body(null, 204);
  });

function photoOf({ id, photoId }: { id: string; photoId: string }) {
  return { postId: id, photoId };
}

const FOR_EVERYBODY = 'public, max-age=86400';
/**
 * How long Cloudflare caches a public photo. After this time we no longer serve a removed photo, but browsers may still
 * have it.
 */
const KEPT_AT_EDGE_SECONDS = 60;
/**
 * The caching of photos with a signed URL. Browsers use their copy as long as the URL stays the same
 * (present-photos.ts).
 */
const FOR_ITS_AUDIENCE = 'private, max-age=3600';

/**
 * The routes of photo files, below `/photos`. A photo that is not public needs a signed URL, which stops working when
 * the URL expires or the photo's audience changes.
 */
export const photoFileRoutes = new Hono<AppEnv>()
  .get('/:name', async (c, next) => (await answerFile(c, c.req.param('name'))) ?? next())
  .all('/*', (c) => answerPlainly(c, new AppError('not_found')));

/** Returns the file of a photo; null if the photo does not exist, or if this client may not see it. */
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

/** Whether the client may get the file. Only a public photo has an unsigned URL and a link preview. */
function isFor(
  c: AppContext,
  audience: string | null,
  { photoId, rendition }: { photoId: string; rendition: Rendition },
) {
  const query = c.req.query();
  if (audience === null) return query.signature === undefined;
  return rendition !== 'og' && isGranted(c.var.config.keys.photo, { photoId, audience }, query, Date.now());
}
