import { PHOTOS_MAX, PHOTOS_OF_PERSON_MAX } from '#contract/limits.ts';
import { idMadeBefore } from '#worker/db/idempotency.ts';
import { AppError } from '#worker/errors/app-error.ts';
import type { AppContext } from '#worker/http/app-env.ts';
import { readIdempotencyKey } from '#worker/http/idempotency-key.ts';
import { newId } from '#worker/identity/ids.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { allowanceOf, assertRoom, assertWithin } from '#worker/limits/allowance.ts';
import { announceUpload } from './leftover-store.ts';
import { makeRenditions } from './make-renditions.ts';
import { deleteObjects, putObjects } from './objects.ts';
import { type Adding, insertPhoto, type Reopen, readForPhoto } from './store.ts';

/**
 * Adds the photo in the request's body to a post of the viewer's.
 * @param reopen opens the post's case again, if it is hidden.
 * @returns its id, or that of the earlier one made with the same `Idempotency-Key`.
 * @throws AppError no_photo_of_documents, too_many_photos, too_many_requests, in this order; what `makeRenditions` throws;
 * idempotency_mismatch.
 */
export async function addPhoto(
  c: AppContext,
  viewer: Viewer,
  { postId, alt, reopen }: { postId: string; alt: string; reopen: Reopen },
): Promise<string> {
  const { db, config } = c.var;
  const adding = {
    postId,
    idempotencyKey: await readIdempotencyKey(c),
    allowance: allowanceOf(config, 'photo', viewer.userId),
    tries: allowanceOf(config, 'photo_try', viewer.userId),
    now: Date.now(),
  };
  const before = await readForPhoto(db, viewer, adding);
  const earlier = idMadeBefore(before.repeated, adding.idempotencyKey);
  if (earlier !== null) return earlier;
  assertRoomFor(before, adding);
  const made = await makeRenditions(c.env.IMAGES, new Uint8Array(await c.req.arrayBuffer()));
  const id = newId();
  await announceUpload(db, id, Date.now());
  await putObjects(c.env, id, made);
  if (await insertPhoto(db, viewer, { ...adding, id, alt, made, reopen })) return id;
  await deleteObjects(c.env, db, [id]);
  // A concurrent request was first: it has used the key, or has taken the last place.
  const after = await readForPhoto(db, viewer, adding);
  const concurrent = idMadeBefore(after.repeated, adding.idempotencyKey);
  if (concurrent !== null) return concurrent;
  assertRoomFor(after, adding);
  throw new AppError('unavailable');
}

function assertRoomFor(
  { post, counted, tried }: Awaited<ReturnType<typeof readForPhoto>>,
  { allowance, tries, now }: Adding,
): void {
  if (!post) throw new AppError('post_not_found');
  if (post.kind === 'document') throw new AppError('no_photo_of_documents');
  const isFull = post.photos >= PHOTOS_MAX || post.photos_of_author >= PHOTOS_OF_PERSON_MAX;
  if (isFull) throw new AppError('too_many_photos');
  assertRoom(allowance, counted, now);
  assertWithin(tries, tried, now);
}
