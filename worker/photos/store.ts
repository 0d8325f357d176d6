import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { PHOTOS_MAX, PHOTOS_OF_PERSON_MAX } from '#contract/limits.ts';
import type { Switch } from '#contract/operating.ts';
import type { PhotoChange } from '#contract/photos.ts';
import { type Db, type Handle, publishAs, type Query, type Statement } from '#worker/db/client.ts';
import { claimKey, hasClaimed, type IdempotencyKey, releaseKey, selectMade } from '#worker/db/idempotency.ts';
import { flag, idRow, queryRows } from '#worker/db/rows.ts';
import { hasProvenNumber } from '#worker/identity/proven-number.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { type Allowance, countIf, hasRoom, readCount } from '#worker/limits/allowance.ts';
import { countEvent, hasTurn, readWait, type Turns } from '#worker/limits/turns.ts';
import type { MadePhoto } from './make-renditions.ts';

/** Expression on a post `p`: its photos as JSON, in order. */
export const PHOTOS_OF_POST = sql.raw(`(
  select json_group_array(json_object('id', h.id, 'width', h.width, 'height', h.height, 'alt', h.alt, 'has_og', h.has_og)
    order by h.position) from photos h where h.post_id = p.id)`);

/** Expressions on a post `p`. */
const countPhotos = sql.raw('(select count(*) from photos h where h.post_id = p.id)');
const countPhotosOfAuthor = sql.raw('(select count(*) from photos h where h.author_id = p.author_id)');

const photographableRow = () => z.object({ kind: z.string(), photos: z.number(), photos_of_author: z.number() });

/** Statement: opens the case of a photo's post again, if the post is hidden and the condition holds. */
export type Reopen = (condition: SQL) => Statement;

/** Statements of `reserveWork`. */
export type Reserve = (condition: SQL) => readonly [Query<{ id: string }>, Statement, Statement, Off, Off];
type Off = Query<{ name: Switch }>;

export type Adding = {
  postId: string;
  idempotencyKey: IdempotencyKey | null;
  /** Of photos. */
  allowance: Allowance;
  /** Of pictures that a photo may be made of: many may come at once, before the first is a photo. */
  tries: Turns;
  /** Reserves the work for the photo, if the condition holds. */
  reserve: Reserve;
  now: number;
};

/**
 * Reads everything that is needed before a photo is made, counts the try if there is room, and reserves the work for it, in
 * one round trip.
 * @returns `isTripped` if this upload has switched photos off, `isOff` if they are off, `isReserved` if it may go on.
 */
export async function readForPhoto(db: Db, viewer: Viewer, adding: Adding) {
  const { postId, idempotencyKey, allowance, tries, reserve, now } = adding;
  const isTried = sql`exists (select 1 ${roomFor(viewer, adding)}) and ${hasTurn(tries, now)}`;
  const answers = await publishAs(db, viewer, [
    queryRows(db, photographableRow)`
      select p.kind, ${countPhotos} as photos, ${countPhotosOfAuthor} as photos_of_author
      from posts p where p.id = ${postId} and p.author_id = ${viewer.userId}`,
    selectMade(db, viewer, idempotencyKey, now),
    readCount(db, allowance, now),
    readWait(db, tries, now),
    countEvent(db, tries, isTried, now),
    ...reserve(sql`changes() > 0`),
  ]);
  const [[post], [repeated], [counted], [wait], , reserved, , , tripped, [off]] = answers;
  const isReserved = reserved.length > 0;
  return { post, repeated, counted, wait, isReserved, isOff: off !== undefined, isTripped: tripped.length > 0 };
}

const provenRow = () => z.object({ is_proven: flag() });

export async function isProven(db: Db, { userId }: Viewer): Promise<boolean> {
  const [row] = await queryRows(db, provenRow)`select ${hasProvenNumber(sql`${userId}`)} as is_proven`;
  return row?.is_proven === 1;
}

type NewPhoto = Adding & { id: string; alt: string; made: MadePhoto; reopen: Reopen };

/**
 * Writes the row of a photo whose objects are stored, if the post has room for it, also with concurrent uploads.
 * @returns whether it was written.
 */
export async function insertPhoto(db: Db, viewer: Viewer, photo: NewPhoto): Promise<boolean> {
  const { id, idempotencyKey, allowance, reopen, now } = photo;
  const isMade = sql`exists (select 1 from photos m where m.id = ${id})`;
  const [, [inserted]] = await publishAs(db, viewer, [
    claimKey(db, viewer, idempotencyKey, id, now),
    queryRows(db, idRow)`${insertWhere(viewer, photo)} returning id`,
    countIf(db, allowance, isMade, now),
    releaseKey(db, viewer, idempotencyKey, id, isMade),
    db.run(sql`delete from photo_leftovers where photo_id = ${id} and ${isMade}`),
    reopen(isMade),
  ]);
  return inserted !== undefined;
}

/** The post `p`, if it takes one more photo of the viewer's. */
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
    ${roomFor(viewer, photo)} and ${hasClaimed(viewer, idempotencyKey, id)}
      and exists (select 1 from photo_leftovers l where l.photo_id = ${id} and l.due_at > ${Date.now()})`;
}

type PhotoOfPost = { postId: string; photoId: string; reopen: Reopen };

/**
 * Changes a photo's description, or moves it to another position; the photos in between move up or down.
 * @returns false if there is no such photo or no such position.
 */
export async function updatePhoto(
  db: Db,
  viewer: Viewer,
  { postId, photoId, alt, position, reopen }: PhotoChange & PhotoOfPost,
): Promise<boolean> {
  const [moved] = await publishAs(db, viewer, [
    queryRows(db, idRow)`
      update photos set
        alt = iif(photos.id = ${photoId}, coalesce(${alt ?? null}, alt), alt),
        position = case when photos.id = ${photoId} then o.goes
          when position > o.was and position <= o.goes then position - 1
          when position < o.was and position >= o.goes then position + 1 else position end
      from (select h.position as was, coalesce(${position ?? null}, h.position) as goes,
          (select count(*) from photos a where a.post_id = h.post_id) as total
        from photos h where h.id = ${photoId} and h.post_id = ${postId}) o
      where post_id = ${postId} and o.goes < o.total returning id`,
    reopen(sql`changes() > 0`),
  ]);
  return moved.length > 0;
}

/** @returns whether there was such a photo. */
export async function deletePhoto(db: Db, viewer: Viewer, { postId, photoId, reopen }: PhotoOfPost): Promise<boolean> {
  const [, [deleted]] = await publishAs(db, viewer, [
    db.run(sql`
      update photos set position = position - 1
      where post_id = ${postId} and position > (select h.position from photos h where h.id = ${photoId} and h.post_id = ${postId})`),
    queryRows(db, idRow)`delete from photos where id = ${photoId} and post_id = ${postId} returning id`,
    reopen(sql`changes() > 0`),
  ]);
  return deleted !== undefined;
}

/** Statement: deletes the photos of posts. @param postIds selects the posts. */
export function deletePhotosOf(db: Handle, postIds: SQL) {
  return db.run(sql`delete from photos where post_id in (${postIds})`);
}

const servedRow = () =>
  z.object({
    id: z.string(),
    kind: z.string(),
    hidden_by: z.number(),
    away_since: z.nullable(z.number()),
    community_id: z.nullable(z.string()),
  });

/** The post of a photo, with the columns that say for whom its photos are (posts/visibility.ts). */
export async function findPostOfPhoto(db: Db, photoId: string) {
  const [row] = await queryRows(db, servedRow)`
    select p.id, p.kind, p.hidden_by, p.away_since, p.community_id
    from photos h cross join posts p on p.id = h.post_id where h.id = ${photoId}`;
  return row;
}
