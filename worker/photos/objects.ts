import type { Db } from '#worker/db/client.ts';
import type { Env } from '#worker/env.ts';
import { askBucket } from './ask-bucket.ts';
import { forgetLeftovers, listLeftovers } from './leftover-store.ts';
import type { MadePhoto } from './make-renditions.ts';
import { fileNameOf, fileNamesOf, RENDITIONS, type Rendition } from './renditions.ts';

// A photo's row is written after its objects and deleted before them. An interruption in between leaves at most some
// objects, whose photo is recorded in `photo_leftovers`.

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

/** For the sweep, and after photos are deleted: deletes the objects of photos that are gone or were never completed. */
export async function deleteLeftovers(env: Bucket, db: Db, now: number): Promise<void> {
  await deleteObjects(env, db, await listLeftovers(db, now));
}
