import { type SQL, sql } from 'drizzle-orm';
import { DAY_MS, MINUTE_MS } from '#contract/durations.ts';
import { DOCUMENT_PHOTO_DAYS } from '#contract/limits.ts';
import { batch, type Db, type Handle } from '#worker/db/client.ts';
import { idRow, idsOf, queryRows } from '#worker/db/statements.ts';
import { photoLeftovers } from '#worker/db/tables/posts.ts';
import type { Env } from '#worker/env.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { answerInTime, errorName, log } from '#worker/errors/log.ts';
import { fileNameOf, fileNamesOf, RENDITIONS, type Rendition } from './present-photos.ts';

// The bucket stores a photo's files as objects. A photo's row is written after the photo's objects, and deleted before
// them. After an interruption, objects may have no row. `photo_leftovers` records the photos of these objects.
type Bucket = Pick<Env, 'PHOTOS'>;

export async function putObjects({ PHOTOS }: Bucket, photoId: string, { files }: MadePhoto): Promise<void> {
  for (const [rendition, file] of Object.entries(files) as [Rendition, Uint8Array | null][]) {
    const contentType = RENDITIONS[rendition].type;
    if (file)
      await askBucket(() => PHOTOS.put(fileNameOf(photoId, rendition), file, { httpMetadata: { contentType } }));
  }
}

export async function deleteObjects({ PHOTOS }: Bucket, db: Db, photoIds: string[]): Promise<void> {
  if (photoIds.length === 0) return;
  await askBucket(() => PHOTOS.delete(photoIds.flatMap(fileNamesOf)));
  await forgetLeftovers(db, photoIds);
}

/**
 * Deletes the objects of deleted photos and unfinished uploads. Runs after photos are deleted, and in the clean-up job
 * (sweep).
 */
export async function deleteLeftovers(env: Bucket, db: Db, now: number): Promise<void> {
  await deleteObjects(env, db, await listLeftovers(db, now));
}

/** After this time, which is longer than any request, the objects of an unfinished upload are deleted. */
const UPLOAD_MS = 10 * MINUTE_MS;
const DOCUMENT_MS = DOCUMENT_PHOTO_DAYS * DAY_MS;
/**
 * How many photos are deleted at once. Each has several objects, and the bucket deletes at most a thousand objects at
 * once.
 */
const PHOTOS_AT_ONCE = 100;

/** Records that a photo's objects are about to be written. If the request dies, the clean-up job (sweep) finds them. */
export async function announceUpload(db: Db, photoId: string, now: number): Promise<void> {
  await db.insert(photoLeftovers).values({ photoId, dueAt: now + UPLOAD_MS });
}

/**
 * Deletes photos of posts whose kind became `document` at least DOCUMENT_PHOTO_DAYS days ago. Lists all photos whose
 * objects must be deleted.
 */
async function listLeftovers(db: Db, now: number): Promise<string[]> {
  const { leftovers } = await batch(db, {
    deletePhotos: db.run(sql`
      delete from photos where id in (
        select id from photos where document_since <= ${now - DOCUMENT_MS} order by document_since limit ${PHOTOS_AT_ONCE})`),
    leftovers: queryRows(db, idRow)`
      select photo_id as id from photo_leftovers where due_at <= ${now} order by due_at limit ${PHOTOS_AT_ONCE}`,
  });
  return idsOf(leftovers);
}

async function forgetLeftovers(db: Db, photoIds: string[]): Promise<void> {
  await db.run(
    sql`delete from photo_leftovers where photo_id in (select value from json_each(${JSON.stringify(photoIds)}))`,
  );
}

/**
 * How long we wait for the bucket or the image service: longer than a normal call takes, but shorter than people wait.
 */
export const PATIENCE_MS = 20_000;
/** The `Retry-After` when the bucket or the image service has failed. */
export const RETRY_SECONDS = 60;

/** Calls the bucket. @throws AppError unavailable if the bucket returns an error or does not answer in time. */
export async function askBucket<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await answerInTime(ask, PATIENCE_MS);
  } catch (error) {
    log.error('bucket_unavailable', { name: errorName(error) });
    throw new AppError('unavailable', { retryAfterSeconds: RETRY_SECONDS });
  }
}

export type Size = { width: number; height: number };
export type MadePhoto = Size & { files: Record<Rendition, Uint8Array | null> };

/** Statement: deletes the photos of posts. @param postIds selects the posts. */
export function deletePhotosOf(db: Handle, postIds: SQL) {
  return db.run(sql`delete from photos where post_id in (${postIds})`);
}
