import { sql } from 'drizzle-orm';
import { DAY_MS, MINUTE_MS } from '#contract/durations.ts';
import { DOCUMENT_PHOTO_DAYS } from '#contract/limits.ts';
import type { Db } from '#worker/db/client.ts';
import { idRow, idsOf, queryRows } from '#worker/db/rows.ts';

/** Longer than any request takes. */
const UPLOAD_MS = 10 * MINUTE_MS;
const DOCUMENT_MS = DOCUMENT_PHOTO_DAYS * DAY_MS;
/** Each has several objects, and the bucket deletes at most a thousand at once. */
const PHOTOS_AT_ONCE = 100;

/** Records that objects are about to be written, so that the sweep finds them if the request does not finish. */
export async function announceUpload(db: Db, photoId: string, now: number): Promise<void> {
  await db.run(sql`insert into photo_leftovers (photo_id, due_at) values (${photoId}, ${now + UPLOAD_MS})`);
}

/** The photos whose objects are to be deleted, including those of posts that have been documents for long enough. */
export async function listLeftovers(db: Db, now: number): Promise<string[]> {
  const [, rows] = await db.batch([
    db.run(sql`
      delete from photos where id in (
        select id from photos where document_since <= ${now - DOCUMENT_MS} order by document_since limit ${PHOTOS_AT_ONCE})`),
    queryRows(db, idRow)`
      select photo_id as id from photo_leftovers where due_at <= ${now} order by due_at limit ${PHOTOS_AT_ONCE}`,
  ]);
  return idsOf(rows);
}

export async function forgetLeftovers(db: Db, photoIds: string[]): Promise<void> {
  await db.run(
    sql`delete from photo_leftovers where photo_id in (select value from json_each(${JSON.stringify(photoIds)}))`,
  );
}
