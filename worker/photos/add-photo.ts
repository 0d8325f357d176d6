import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { PHOTOS_MAX, PHOTOS_OF_PERSON_MAX } from '#contract/limits.ts';
import type { Photo } from '#contract/photos.ts';
import { forgetSwitches } from '#worker/admin/switches.ts';
import { hasProvenNumber } from '#worker/conditions/people.ts';
import { type Db, publishAs } from '#worker/db/client.ts';
import { flag, idRow, queryFirst } from '#worker/db/statements.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { log } from '#worker/errors/log.ts';
import { type AppContext, clientAddress, continueAfterAnswer } from '#worker/http/context.ts';
import {
  hasReservedKey,
  type IdempotencyKey,
  idMadeBefore,
  readIdempotencyKey,
  releaseKey,
  reserveKey,
  selectMade,
} from '#worker/http/idempotency.ts';
import { newId } from '#worker/identity/digests.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import {
  type Allowance,
  allowanceOf,
  allowancesOf,
  assertRoom,
  countIf,
  hasRoom,
  isOwnMachine,
  readCount,
} from '#worker/limits/allowance.ts';
import { assertTurn, countEvent, hasTurn, readWait, type Turns } from '#worker/limits/attempts.ts';
import { LIMITS } from '#worker/limits/limits.ts';
import { reopenEdited } from '#worker/moderation/cases.ts';
import { assertAuthor, findPost } from '#worker/posts/find-post.ts';
import { countWork, recordWork, refuseWork, reserveWork, WORK_MAX, type Work, workOfDay } from './breaker.ts';
import { findPhoto, notifyAdminsOf } from './change-photo.ts';
import { makeRenditions } from './make-renditions.ts';
import { announceUpload, deleteObjects, type MadePhoto, putObjects } from './objects.ts';

/**
 * Adds the photo in the request's body to the viewer's post. If the post is hidden, its case is opened again.
 * @returns the photo, or the earlier photo with the same `Idempotency-Key`.
 * @throws AppError post_not_found, forbidden, and what `storePhoto` throws; idempotency_conflict if the earlier photo
 * was deleted.
 */
export async function addPhoto(c: AppContext, viewer: Viewer, postId: string, alt: string): Promise<Photo> {
  const post = assertAuthor(await findPost(c.var.db, viewer, postId), viewer);
  const photoId = await storePhoto(c, viewer, post.id, alt);
  notifyAdminsOf(c, post);
  return findPhoto(c, viewer, { postId: post.id, photoId }, 'idempotency_conflict');
}

/**
 * Stores the photo in the request's body.
 * @returns the id of the new photo, or of the earlier photo with the same `Idempotency-Key`.
 * @throws AppError no_photo_of_documents, too_many_photos, too_many_requests, switched_off, idempotency_mismatch, and
 * what `refuseWork` and `makeRenditions` throw.
 */
async function storePhoto(c: AppContext, viewer: Viewer, postId: string, alt: string): Promise<string> {
  const { db, config } = c.var;
  const now = Date.now();
  const { sharers, ...limits } = await limitsFor(c, viewer);
  const workToday = workOfDay(config, sharers, now);
  const adding = {
    postId,
    idempotencyKey: await readIdempotencyKey(c),
    ...limits,
    workToday,
    now,
  };
  const { images, work } = countWork(c.env.IMAGES);
  let reserved = 0;
  const look = async () => {
    const looked = await readForPhoto(db, viewer, adding);
    if (looked.isReserved) reserved += WORK_MAX;
    if (looked.isTripped) reportTrip();
    return looked;
  };
  try {
    const before = await look();
    const earlier = idMadeBefore(before.repeated, adding.idempotencyKey);
    if (earlier !== null) return earlier;
    assertRoomFor(before, adding);
    if (!before.isReserved) return await refuseWork(db, workToday, now);
    const made = await makeRenditions(images, new Uint8Array(await c.req.arrayBuffer()));
    const id = newId();
    await announceUpload(db, id, Date.now());
    await putObjects(c.env, id, made);
    if (await insertPhoto(db, viewer, { ...adding, id, alt, made })) return id;
    await deleteObjects(c.env, db, [id]);
    // Another request came first: it has used the same key, or has added the last photo that the post may have.
    const after = await look();
    const concurrent = idMadeBefore(after.repeated, adding.idempotencyKey);
    if (concurrent !== null) return concurrent;
    assertRoomFor(after, adding);
    throw new AppError('unavailable');
  } finally {
    if (reserved > 0) continueAfterAnswer(c, recordWork(db, workToday, { reserved, done: work.done }));
  }
}

function reportTrip(): void {
  log.error('photos_switched_off');
  forgetSwitches();
}

/**
 * Returns the limits on photos and uploads per day. The limits are lower for an account with an unproven phone number,
 * and all such accounts in one network share a limit on uploads.
 */
async function limitsFor(
  c: AppContext,
  viewer: Viewer,
): Promise<Pick<Adding, 'allowance' | 'tries'> & { sharers: Allowance[] }> {
  const { config, db } = c.var;
  const { userId } = viewer;
  const tries = allowanceOf(config, 'photo_try', userId);
  if (await isProven(db, viewer)) {
    return { allowance: allowanceOf(config, 'photo', userId), tries: [tries], sharers: [tries] };
  }
  const address = clientAddress(c);
  const ofNetworks = isOwnMachine(config, address) ? [] : allowancesOf(config, 'photo_try_address', address);
  return {
    // An account uses the same counter before and after its phone number is proven. So photos from before the proof
    // also count towards the higher limit of the same day.
    allowance: allowanceOf(config, 'photo', userId, LIMITS.photo_unproven.max),
    tries: [tries, allowanceOf(config, 'photo_try_unproven', userId), ...ofNetworks],
    sharers: [tries, ...ofNetworks],
  };
}

function assertRoomFor(
  { post, counted, wait, isOff }: Awaited<ReturnType<typeof readForPhoto>>,
  { allowance, now }: Adding,
): void {
  if (!post) throw new AppError('post_not_found');
  if (post.kind === 'document') throw new AppError('no_photo_of_documents');
  const isFull = post.photos >= PHOTOS_MAX || post.photos_of_author >= PHOTOS_OF_PERSON_MAX;
  if (isFull) throw new AppError('too_many_photos');
  assertRoom(allowance, counted, now);
  assertTurn(wait, now);
  if (isOff) throw new AppError('switched_off');
}

/** Expressions on a post `p`: the count of the post's photos, and the count of all its author's photos. */
const countPhotos = sql.raw('(select count(*) from photos h where h.post_id = p.id)');
const countPhotosOfAuthor = sql.raw('(select count(*) from photos h where h.author_id = p.author_id)');

const photographableRow = () => z.object({ kind: z.string(), photos: z.number(), photos_of_author: z.number() });

type Adding = {
  postId: string;
  idempotencyKey: IdempotencyKey | null;
  allowance: Allowance;
  /**
   * Limits on uploads, including failed ones. An upload is counted before it begins: many uploads may run at once
   * before one of them becomes a photo.
   */
  tries: Turns;
  /** The daily counters of image transformations, in which the upload reserves what it may need (breaker.ts). */
  workToday: Work;
  now: number;
};

/**
 * Does three things in one round trip: reads all data for a new photo, counts the upload if the post and the limits
 * allow it, and reserves its image transformations.
 * @returns `isTripped` if photos were switched off just now, because the image transformations have reached the day's
 * limit; `isOff` if photos are switched off; `isReserved` if the upload may continue.
 */
async function readForPhoto(db: Db, viewer: Viewer, adding: Adding) {
  const { postId, idempotencyKey, allowance, tries, workToday, now } = adding;
  const isTried = sql`exists (select 1 ${roomFor(viewer, adding)}) and ${hasTurn(tries, now)}`;
  const { post, repeated, counted, wait, work } = await publishAs(db, viewer, {
    post: queryFirst(db, photographableRow)`
      select p.kind, ${countPhotos} as photos, ${countPhotosOfAuthor} as photos_of_author
      from posts p where p.id = ${postId} and p.author_id = ${viewer.userId}`,
    repeated: selectMade(db, viewer, idempotencyKey, now),
    counted: readCount(db, allowance, now),
    wait: readWait(db, tries, now),
    countEvent: countEvent(db, tries, isTried, now),
    work: reserveWork(db, workToday, sql`changes() > 0`, now),
  });
  const { reserved, tripped, off } = work;
  return {
    ...{ post, repeated, counted, wait },
    isReserved: reserved.length > 0,
    isOff: off !== undefined,
    isTripped: tripped.length > 0,
  };
}

const provenRow = () => z.object({ is_proven: flag() });

async function isProven(db: Db, { userId }: Viewer): Promise<boolean> {
  const row = await queryFirst(db, provenRow)`select ${hasProvenNumber(sql`${userId}`)} as is_proven`;
  return row?.is_proven === 1;
}

type NewPhoto = Adding & { id: string; alt: string; made: MadePhoto };

/**
 * Writes the row of a photo whose objects are stored. Writes nothing if concurrent uploads have filled the post in the
 * meantime.
 * @returns whether the row was written.
 */
async function insertPhoto(db: Db, viewer: Viewer, photo: NewPhoto): Promise<boolean> {
  const { id, postId, idempotencyKey, allowance, now } = photo;
  const isMade = sql`exists (select 1 from photos m where m.id = ${id})`;
  const { inserted } = await publishAs(db, viewer, {
    reserveKey: reserveKey(db, viewer, idempotencyKey, id, now),
    inserted: queryFirst(db, idRow)`${insertWhere(viewer, photo)} returning id`,
    count: countIf(db, allowance, isMade, now),
    releaseKey: releaseKey(db, viewer, idempotencyKey, id, isMade),
    deletePhotoLeftovers: db.run(sql`delete from photo_leftovers where photo_id = ${id} and ${isMade}`),
    reopened: reopenEdited(db, { postId, authorId: viewer.userId, now: Date.now(), condition: isMade }),
  });
  return inserted !== undefined;
}

/** `from` clause with the viewer's post `p`. Selects nothing if no photo may be added to the post. */
function roomFor(viewer: Viewer, { postId, allowance, now }: Adding): SQL {
  return sql`
    from posts p
    where p.id = ${postId} and p.author_id = ${viewer.userId} and p.kind <> 'document'
      and ${countPhotos} < ${PHOTOS_MAX} and ${countPhotosOfAuthor} < ${PHOTOS_OF_PERSON_MAX} and ${hasRoom(allowance, now)}`;
}

function insertWhere(viewer: Viewer, photo: NewPhoto): SQL {
  const { id, alt, made, idempotencyKey, now } = photo;
  return sql`
    insert into photos (id, post_id, author_id, position, width, height, alt, has_og, created_at)
    select ${id}, p.id, p.author_id, ${countPhotos}, ${made.width}, ${made.height}, ${alt}, ${made.files.og !== null}, ${now}
    ${roomFor(viewer, photo)} and ${hasReservedKey(viewer, idempotencyKey, id)}
      and exists (select 1 from photo_leftovers l where l.photo_id = ${id} and l.due_at > ${Date.now()})`;
}
