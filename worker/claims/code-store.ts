import { type SQL, sql } from 'drizzle-orm';
import { HANDOVER_CODE_TRIES, HANDOVER_LOCK_SECONDS } from '#contract/limits.ts';
import { type Db, publishAs } from '#worker/db/client.ts';
import { idRow, queryRows } from '#worker/db/rows.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { arePaused } from '#worker/posts/index.ts';
import { selectClaims } from './read-store.ts';

/** Condition on the claim `k`: its code is not locked. */
export function isUnlocked(now: number): SQL {
  return sql`k.code_locked_until <= ${now}`;
}

/** Condition on the claim `k`: its post is not hidden. */
export function isNotPaused(): SQL {
  return sql`not exists (select 1 from posts p where p.id = k.post_id and ${arePaused('p')})`;
}

/**
 * Counts a wrong code, if the viewer is the finder, the claim is accepted and not paused, and the code is not locked. The last try locks
 * the code; tries while it is locked are not counted.
 * @returns the claim now, and whether the try was counted.
 */
export async function countWrongCode(db: Db, viewer: Viewer, claimId: string, now: number) {
  const [counted, [row]] = await publishAs(db, viewer, [
    queryRows(db, idRow)`
      update claims as k set
        wrong_codes = iif(wrong_codes < ${HANDOVER_CODE_TRIES}, wrong_codes, 0) + 1,
        code_locked_until = iif(wrong_codes = ${HANDOVER_CODE_TRIES - 1}, ${now + HANDOVER_LOCK_SECONDS * 1000}, 0)
      where k.id = ${claimId} and k.finder_id = ${viewer.userId} and k.state = 'accepted' and ${isUnlocked(now)}
        and ${isNotPaused()}
      returning id`,
    selectClaims(db, sql`where k.id = ${claimId}`),
  ]);
  return { row, isCounted: counted.length > 0 };
}
