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
 * Applies what is known to have happened since the export to the database that was loaded from it, with the Worker's own
 * code.
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

/** An export does not contain sessions, so all of them are ended, by a token version above any that can exist. */
async function endSessions(local: LocalDatabase): Promise<void> {
  await local.prepare('UPDATE users SET token_version = max(token_version, unixepoch())').run();
}

/** Makes the readings of open posts again, which the sweep would otherwise do little by little. */
async function readPostsAgain(local: LocalDatabase, db: Db): Promise<void> {
  await db.run(sql`
    insert into match_readings (post_seq, version, reading, agreeable)
    select p.seq, '', '', '[]' from posts p where ${isOpen('p')}`);
  const isUnread = local.prepare("SELECT 1 FROM match_readings WHERE version = '' LIMIT 1");
  while ((await isUnread.first()) !== null) await renewReadings(db);
}
