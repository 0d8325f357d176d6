import { type SQL, sql } from 'drizzle-orm';
import type { CommunityClosingMessage } from '#contract/live-messages.ts';
import { type Db, publishAs } from '#worker/db/client.ts';
import { idRow, idsOf, queryRows } from '#worker/db/rows.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { type Allowance, countIf, hasRoom, readCount } from '#worker/limits/allowance.ts';
import { CLOSES_AFTER_MS, isAdminOf, isMember } from './community-conditions.ts';
import { selectCommunityWhere } from './store.ts';

/** How many members the request itself delivers notices to; the sweep delivers the rest. */
const TOLD_AT_ONCE = 50;

/**
 * Announces, once, when the community closes, and notifies its members.
 * @returns the community before and after, the notices to deliver now, and how often it was announced today.
 */
export async function closeCommunity(
  db: Db,
  viewer: Viewer,
  id: string,
  { allowance, now }: { allowance: Allowance; now: number },
) {
  const closesAt = now + CLOSES_AFTER_MS;
  const isDue = sql`(c.closes_at is null and ${isAdminOf(id, viewer.userId)} and ${hasRoom(allowance, now)})`;
  const [[before], told, , , [after], [counted]] = await publishAs(db, viewer, [
    selectCommunityWhere(db, viewer, sql`c.id = ${id}`),
    tellOthers(db, viewer, id, { type: 'community_closing', closesAt, isDue, now }),
    db.run(sql`update communities as c set closes_at = ${closesAt} where c.id = ${id} and ${isDue}`),
    countIf(db, allowance, sql`changes() > 0`, now),
    selectCommunityWhere(db, viewer, sql`c.id = ${id}`),
    readCount(db, allowance, now),
  ]);
  return { before, after, noticeIds: firstOf(told), counted };
}

/**
 * Cancels the closing, until it happens. An admin can do so, and so can the only member.
 * @returns the community afterwards, and the notices to deliver now.
 */
export async function reopenCommunity(db: Db, viewer: Viewer, id: string, now: number) {
  const isAlone = sql`(c.member_count = 1 and ${isMember(id, viewer.userId)})`;
  const isDue = sql`(c.closes_at > ${now} and (${isAdminOf(id, viewer.userId)} or ${isAlone}))`;
  const [told, , [after]] = await publishAs(db, viewer, [
    tellOthers(db, viewer, id, { type: 'community_reopened', closesAt: null, isDue, now }),
    db.run(sql`update communities as c set closes_at = null where c.id = ${id} and ${isDue}`),
    selectCommunityWhere(db, viewer, sql`c.id = ${id}`),
  ]);
  return { after, noticeIds: firstOf(told) };
}

type ClosingNotice = {
  type: CommunityClosingMessage['type'];
  closesAt: number | null;
  /** Condition on the community `c`. */
  isDue: SQL;
  now: number;
};

/** Statement: notifies every other member. */
function tellOthers(db: Db, viewer: Viewer, id: string, { type, closesAt, isDue, now }: ClosingNotice) {
  return queryRows(db, idRow)`
    with made as materialized (
      select lower(hex(randomblob(16))) as id, m.user_id, c.id as community_id, c.name
      from communities c cross join memberships m on m.community_id = c.id
      where c.id = ${id} and m.user_id <> ${viewer.userId} and ${isDue})
    insert into notices (id, recipient_id, type, body, created_at)
    select id, user_id, ${type}, json_object('type', ${type}, 'id', id, 'community_id', community_id, 'name', name,
      'closes_at', ${closesAt === null ? null : new Date(closesAt).toISOString()},
      'created_at', ${new Date(now).toISOString()}), ${now}
    from made returning id`;
}

function firstOf(told: { id: string }[]): string[] {
  return idsOf(told.slice(0, TOLD_AT_ONCE));
}
