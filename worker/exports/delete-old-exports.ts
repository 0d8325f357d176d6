import type { Db } from '#worker/db/client.ts';
import { KEPT_MS } from '#worker/db/lifetimes.ts';
import type { Env } from '#worker/env.ts';
import { EXPORTS_PREFIX, folderOf } from './manifest.ts';
import { utcDayOf } from './write-export.ts';

const OBJECTS_AT_ONCE = 500;

/** For the sweep. Lists the bucket, oldest first, as a restored database does not know what is in it. */
export async function deleteOldExports({ BACKUPS }: Pick<Env, 'BACKUPS'>, _db: Db, now: number): Promise<void> {
  const { objects } = await BACKUPS.list({ prefix: EXPORTS_PREFIX, limit: OBJECTS_AT_ONCE });
  const oldest = folderOf(utcDayOf(now - KEPT_MS.export));
  const old = objects.map(({ key }) => key).filter((key) => key < oldest);
  if (old.length > 0) await BACKUPS.delete(old);
}
