import { sql } from 'drizzle-orm';
import type { ErrorCode } from '#contract/error-codes.ts';
import type { Photo, PhotoChange } from '#contract/photos.ts';
import { type Db, publishAs } from '#worker/db/client.ts';
import { idRow, queryFirst, queryRows } from '#worker/db/statements.ts';
import { AppError, invalidField } from '#worker/errors/app-error.ts';
import { type AppContext, continueAfterAnswer } from '#worker/http/context.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { notifyAdmins, reopenEdited } from '#worker/moderation/cases.ts';
import { assertAuthor, findPost } from '#worker/posts/find-post.ts';
import type { PostRow } from '#worker/posts/post-columns.ts';
import { presentPost } from '#worker/posts/present-post.ts';
import { deleteLeftovers } from './objects.ts';

type PhotoOfPost = { postId: string; photoId: string };

/**
 * Changes a photo's description, or moves the photo to another position. If the post is hidden, its case is opened
 * again.
 * @throws AppError post_not_found, forbidden, photo_not_found; validation_failed if the position does not exist.
 */
export async function changePhoto(
  c: AppContext,
  viewer: Viewer,
  { postId, photoId, ...change }: PhotoChange & PhotoOfPost,
): Promise<Photo> {
  const { db } = c.var;
  const post = assertAuthor(await findPost(db, viewer, postId), viewer);
  const own = { postId: post.id, photoId };
  const isChanged = await writeChange(db, viewer, { ...own, ...change });
  const photo = await findPhoto(c, viewer, own, 'photo_not_found');
  if (!isChanged) throw invalidField('position', 'position_invalid');
  notifyAdminsOf(c, post);
  return photo;
}

/**
 * Removes a photo; its files are deleted after the response. If the post is hidden, its case is opened again.
 * @throws AppError post_not_found, forbidden, photo_not_found.
 */
export async function deletePhoto(c: AppContext, viewer: Viewer, { postId, photoId }: PhotoOfPost): Promise<void> {
  const { db } = c.var;
  const post = assertAuthor(await findPost(db, viewer, postId), viewer);
  if (!(await writeDeletion(db, viewer, { postId: post.id, photoId }))) throw new AppError('photo_not_found');
  notifyAdminsOf(c, post);
  continueAfterAnswer(c, deleteLeftovers(c.env, db, Date.now()));
}

/** If the post is hidden, notifies platform admins after the response. */
export function notifyAdminsOf(c: AppContext, { hidden_by }: PostRow): void {
  if (hidden_by !== 0) continueAfterAnswer(c, notifyAdmins(c.env, c.var.db, Date.now()));
}

/** Reads a photo. @throws AppError `missing` if the photo does not exist. */
export async function findPhoto(
  c: AppContext,
  viewer: Viewer,
  { postId, photoId }: PhotoOfPost,
  missing: ErrorCode,
): Promise<Photo> {
  const post = assertAuthor(await findPost(c.var.db, viewer, postId), viewer);
  const photo = presentPost(post, c.var).photos.find(({ id }) => id === photoId);
  if (!photo) throw new AppError(missing);
  return photo;
}

/** Statement: opens the post's case again, if the post is hidden and the previous statement changed something. */
function reopen(db: Db, { userId }: Viewer, postId: string) {
  return reopenEdited(db, { postId, authorId: userId, now: Date.now(), condition: sql`changes() > 0` });
}

/**
 * Changes a photo's description, or moves the photo to another position and shifts the photos in between.
 * @returns false if the photo or the position does not exist.
 */
async function writeChange(
  db: Db,
  viewer: Viewer,
  { postId, photoId, alt, position }: PhotoChange & PhotoOfPost,
): Promise<boolean> {
  const { moved } = await publishAs(db, viewer, {
    moved: queryRows(db, idRow)`
      update photos set
        alt = iif(photos.id = ${photoId}, coalesce(${alt ?? null}, alt), alt),
        position = case when photos.id = ${photoId} then o.goes
          when position > o.was and position <= o.goes then position - 1
          when position < o.was and position >= o.goes then position + 1 else position end
      from (select h.position as was, coalesce(${position ?? null}, h.position) as goes,
          (select count(*) from photos a where a.post_id = h.post_id) as total
        from photos h where h.id = ${photoId} and h.post_id = ${postId}) o
      where post_id = ${postId} and o.goes < o.total returning id`,
    reopened: reopen(db, viewer, postId),
  });
  return moved.length > 0;
}

/** Deletes the row of a photo. @returns whether the photo existed. */
async function writeDeletion(db: Db, viewer: Viewer, { postId, photoId }: PhotoOfPost): Promise<boolean> {
  const { deleted } = await publishAs(db, viewer, {
    updatePhotos: db.run(sql`
      update photos set position = position - 1
      where post_id = ${postId} and position > (select h.position from photos h where h.id = ${photoId} and h.post_id = ${postId})`),
    deleted: queryFirst(db, idRow)`delete from photos where id = ${photoId} and post_id = ${postId} returning id`,
    reopened: reopen(db, viewer, postId),
  });
  return deleted !== undefined;
}
