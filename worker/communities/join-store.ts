import { sql } from 'drizzle-orm';
import { type Db, publishAs } from '#worker/db/client.ts';
import { idRow, queryRows } from '#worker/db/rows.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { type Allowance, countIf, hasRoom, readCount } from '#worker/limits/allowance.ts';
import { IS_JOINABLE, isMember, isRemovedFrom } from './community-conditions.ts';
import { selectForNewcomer } from './store.ts';

/**
 * Lets the viewer join by an access code, in one transaction, so that neither a code that is being replaced nor a
 * community that is closing lets anybody in. Wrong codes are counted, also concurrent ones; a right one is free.
 * @returns the community as it was before, the wrong codes of the current hour including this one, and whether the viewer
 * has joined.
 */
export async function joinByCode(db: Db, viewer: Viewer, attempt: { code: string; allowance: Allowance; now: number }) {
  const { code, allowance, now } = attempt;
  const me = sql`${viewer.userId}`;
  const isWrong = sql`not exists (select 1 from communities where access_code = ${code})`;
  const [[community], , [counted], joined] = await publishAs(db, viewer, [
    selectForNewcomer(db, viewer, sql`c.access_code = ${code}`, now),
    countIf(db, allowance, isWrong, now),
    readCount(db, allowance, now),
    queryRows(db, idRow)`
      insert into memberships (community_id, user_id, role, joined_at)
      select c.id, ${viewer.userId}, 'member', ${now} from communities c
      where c.access_code = ${code} and ${IS_JOINABLE} and not ${isRemovedFrom(sql.raw('c.id'), me, now)}
        and ${hasRoom(allowance, now)}
      on conflict (community_id, user_id) do nothing returning community_id as id`,
    db.run(sql`
      delete from join_requests
      where user_id = ${viewer.userId} and ${isMember(sql.raw('join_requests.community_id'), viewer.userId)}`),
  ]);
  return { community, counted, hasJoined: joined.length > 0 };
}
