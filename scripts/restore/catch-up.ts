import { sql } from 'drizzle-orm';
import type { LocalDatabase } from '#scripts/database/local-database.ts';
import { type Db, openDb } from '#worker/db/client.ts';
import { digestOf } from '#worker/exports/erased.ts';
import type { Erased } from '#worker/exports/manifest.ts';
import { forgetTitles } from '#worker/leaving/erase-account.ts';
import { eraseRows } from '#worker/leaving/erase-person.ts';
import { renewReadings } from '#worker/matching/renew-readings.ts';

/**
 * Erases all accounts that were erased after the export, because the restored database contains them again. Uses the
 * Worker's own code. Also ends all sessions, and reads the posts' texts again for search and matching.
 * @returns how many accounts were erased.
 */
export async function catchUp(local: LocalDatabase, erased: Erased): Promise<number> {
  const db = openDb({ DB: local });
  const gone = await listGone(local, erased);
  for (const userId of gone) {
    await forgetTitles(db, userId);
    await eraseRows(db, userId);
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

/**
 * Signs everybody out: an export contains no sessions, so the restored database does not show which tokens are still
 * valid. Raises each user's token version above the version in any existing token.
 */
async function endSessions(local: LocalDatabase): Promise<void> {
  await local.prepare('UPDATE users SET token_version = max(token_version, unixepoch())').run();
}

/**
 * Reads the texts of all listed posts again, for search and matching. The Worker's clean-up job (sweep) would take too
 * long, because it reads only a few posts every minute.
 */
async function readPostsAgain(local: LocalDatabase, db: Db): Promise<void> {
  await db.run(sql`
    insert or ignore into search_meanings (post_seq) select p.seq from posts p where p.away_since is null and p.hidden_by = 0`);
  const isUnread = local.prepare(`
    SELECT 1 FROM search_meanings m JOIN posts p ON p.seq = m.post_seq
    WHERE m.version = '' AND p.match_pending_since IS NULL LIMIT 1`);
  while ((await isUnread.first()) !== null) await renewReadings(db);
}
