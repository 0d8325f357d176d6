import { sql } from 'drizzle-orm';
import type { LocalDatabase } from '#scripts/database/local-database.ts';
import { forgetTitles } from '#worker/claims/index.ts';
import { type Db, openDb } from '#worker/db/client.ts';
import { digestOf } from '#worker/exports/erased.ts';
import type { Erased } from '#worker/exports/manifest.ts';
import { eraseRows } from '#worker/leaving/erase-rows.ts';
import { renewReadings } from '#worker/matching/index.ts';
import { PERSONAL_DATA } from '#worker/personal-data.ts';
import { isOpen } from '#worker/posts/index.ts';

/**
 * Does to a database that was loaded from an export what has happened since, as far as it is known, by the Worker's own code.
 * @returns how many accounts were erased.
 */
export async function catchUp(local: LocalDatabase, erased: Erased): Promise<number> {
  const db = openDb({ DB: local });
  const gone = await listGone(local, erased);
  for (const userId of gone) {
    await forgetTitles(db, userId);
    await eraseRows(db, PERSONAL_DATA, userId);
  }
  await endSessions(local);
  await readPostsAgain(local, db);
  return gone.length;
}

async function listGone(local: LocalDatabase, erased: Erased): Promise<string[]> {
  const digests = new Set(erased.map(({ digest }) => digest));
  const { results } = await local.prepare('SELECT id FROM users').all<{ id: string }>();
  return results.map(({ id }) => id).filter((id) => digests.has(digestOf(id)));
}

/** Which sessions had ended is not in an export: a version above all that were given out since ends every one. */
async function endSessions(local: LocalDatabase): Promise<void> {
  await local.prepare('UPDATE users SET token_version = max(token_version, unixepoch())').run();
}

/** What open posts are matched by: the sweep does it too, some at a time. */
async function readPostsAgain(local: LocalDatabase, db: Db): Promise<void> {
  await db.run(sql`
    insert into match_readings (post_seq, version, reading, agreeable)
    select p.seq, '', '', '[]' from posts p where ${isOpen('p')}`);
  const isUnread = local.prepare("SELECT 1 FROM match_readings WHERE version = '' LIMIT 1");
  while ((await isUnread.first()) !== null) await renewReadings(db);
}
