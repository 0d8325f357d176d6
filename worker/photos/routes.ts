import { Hono } from 'hono';
import type { ErrorCode } from '#contract/error-codes.ts';
import { PHOTO_MAX_BYTES } from '#contract/limits.ts';
import { newPhotoQuerySchema, PHOTO_TYPES, type Photo, photoChangeSchema } from '#contract/photos.ts';
import { AppError, invalidField } from '#worker/errors/app-error.ts';
import { continueAfterAnswer } from '#worker/http/after-answer.ts';
import type { AppContext, AppEnv } from '#worker/http/app-env.ts';
import { readBody } from '#worker/http/read-body.ts';
import { requireJson, requireMediaType, validate } from '#worker/http/validate.ts';
import { requireViewer } from '#worker/http/viewer.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { logAction, reopenEdited, tellAdmins } from '#worker/moderation/index.ts';
import { assertAuthor, findPost, type PostRow, presentPost } from '#worker/posts/index.ts';
import { requireSwitchedOn } from '#worker/switches/index.ts';
import { addPhoto } from './add-photo.ts';
import type { LogSwitchOff } from './breaker.ts';
import { deleteLeftovers } from './objects.ts';
import { deletePhoto, type Reopen, updatePhoto } from './store.ts';

const requirePhotos = requireSwitchedOn('photos');

/** Below `/api/posts`. */
export const photoRoutes = new Hono<AppEnv>()
  .post(
    '/:id/photos',
    requireViewer,
    requirePhotos,
    requireMediaType(...PHOTO_TYPES),
    readBody(PHOTO_MAX_BYTES),
    validate('query', newPhotoQuerySchema),
    async (c) => {
      const { viewer } = c.var;
      const post = await findOwnPost(c, viewer, c.req.param('id'));
      const [postId, reopen] = [post.id, reopening(c, viewer, post)];
      const { alt } = c.req.valid('query');
      const photoId = await addPhoto(c, viewer, { postId, alt, reopen, logSwitchOff: loggingSwitchOff(c) });
      tellAdminsOf(c, post);
      return c.json(await findPhoto(c, viewer, { postId, photoId }, 'idempotency_conflict'), 201);
    },
  )
  .patch(
    '/:id/photos/:photoId',
    requireViewer,
    requirePhotos,
    requireJson,
    validate('json', photoChangeSchema),
    async (c) => {
      const { db, viewer } = c.var;
      const post = await findOwnPost(c, viewer, c.req.param('id'));
      const own = { postId: post.id, photoId: c.req.param('photoId') };
      const reopen = reopening(c, viewer, post);
      const isChanged = await updatePhoto(db, viewer, { ...own, ...c.req.valid('json'), reopen });
      const photo = await findPhoto(c, viewer, own, 'photo_not_found');
      if (!isChanged) throw invalidField('position', 'position_invalid');
      tellAdminsOf(c, post);
      return c.json(photo);
    },
  )
  .delete('/:id/photos/:photoId', requireViewer, async (c) => {
    const { db, viewer } = c.var;
    const post = await findOwnPost(c, viewer, c.req.param('id'));
    const own = { postId: post.id, photoId: c.req.param('photoId') };
    if (!(await deletePhoto(db, viewer, { ...own, reopen: reopening(c, viewer, post) })))
      throw new AppError('photo_not_found');
    tellAdminsOf(c, post);
    continueAfterAnswer(c, deleteLeftovers(c.env, db, Date.now()));
    return c.body(null, 204);
  });

/** Adding, changing or removing a photo of a hidden post opens its case again, as editing its text does. */
function reopening(c: AppContext, viewer: Viewer, { id: postId }: PostRow): Reopen {
  return (condition) => reopenEdited(c.var.db, { postId, authorId: viewer.userId, now: Date.now(), condition });
}

function loggingSwitchOff(c: AppContext): LogSwitchOff {
  const event = { actor: null, action: 'switch_off', targetType: 'switch', targetId: 'photos', reason: null } as const;
  return (condition) => logAction(c.var.db, event, Date.now(), condition);
}

function tellAdminsOf(c: AppContext, { hidden_by }: PostRow): void {
  if (hidden_by !== 0) continueAfterAnswer(c, tellAdmins(c.env, c.var.db, Date.now()));
}

/** @throws AppError post_not_found, forbidden. */
async function findOwnPost(c: AppContext, viewer: Viewer, postId: string) {
  return assertAuthor(await findPost(c.var.db, viewer, postId), viewer);
}

/** @throws AppError with `missing` when there is no such photo. */
async function findPhoto(
  c: AppContext,
  viewer: Viewer,
  { postId, photoId }: { postId: string; photoId: string },
  missing: ErrorCode,
): Promise<Photo> {
  const post = await findOwnPost(c, viewer, postId);
  const photo = presentPost(post, c.var).photos.find(({ id }) => id === photoId);
  if (!photo) throw new AppError(missing);
  return photo;
}
