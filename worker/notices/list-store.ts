import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { UNREAD_COUNT_MAX } from '#contract/limits.ts';
import type { NoticeListQuery, ReadNotices } from '#contract/notices.ts';
import { type Db, readAs, writeAs } from '#worker/db/client.ts';
import { idRow, idsOf, queryRows } from '#worker/db/rows.ts';
import { parseTimeCursor, toTimePage } from '#worker/db/time-page.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { pastNoticeRow } from './notice-rules.ts';
import { IS_OPEN, IS_SHOWN, JOIN_PAIR_AND_POSTS, NOTICE_COLUMNS } from './store.ts';

const overdueRow = () => z.object({ found: z.literal(1) });
const countRow = () => z.object({ count: z.number() });

/** How many notices a person's next connection delivers; the sweep delivers the rest. */
const WAITING_MAX = 100;

/** A page of the notices that the viewer may still see, newest first, with the number of unread ones. */
export async function listNotices(db: Db, viewer: Viewer, { cursor, limit }: NoticeListQuery) {
  const from = parseTimeCursor(cursor);
  const [rows, [unread]] = await readAs(db, viewer, [
    queryRows(db, pastNoticeRow)`
      select ${NOTICE_COLUMNS}, n.read_at, ${IS_OPEN} as is_open
      from notices n ${JOIN_PAIR_AND_POSTS}
      where n.recipient_id = ${viewer.userId} and ${IS_SHOWN}
        ${from ? sql`and n.created_at <= ${from.time} and (n.created_at, n.id) < (${from.time}, ${from.id})` : sql``}
      order by n.created_at desc, n.id desc limit ${limit + 1}`,
    countUnread(db, viewer),
  ]);
  const page = toTimePage(rows, limit, (row) => ({ time: row.created_at, id: row.id }));
  return { ...page, unreadCount: unread?.count ?? 0 };
}

/** Marks the viewer's notices as read. @returns those that were unread, and how many still are. */
export async function markRead(db: Db, viewer: Viewer, { ids, up_to }: ReadNotices, now: number) {
  const [read, [unread]] = await writeAs(db.repeatable, viewer, [
    queryRows(db, idRow)`
      update notices set read_at = ${now}, delivered_at = coalesce(delivered_at, ${now})
      where recipient_id = ${viewer.userId} and read_at is null and (
        id in (select value from json_each(${JSON.stringify(ids)}))
        or (created_at, id) <= (select u.created_at, u.id from notices u
          where u.id = ${up_to} and u.recipient_id = ${viewer.userId}))
      returning id`,
    countUnread(db, viewer),
  ]);
  return { ids: idsOf(read), unreadCount: unread?.count ?? 0 };
}

/**
 * Records that the two posts of a notice are not the same thing, and withdraws both authors' notices about the pair.
 * @returns whether the viewer has such a notice, and the ids of the notices to withdraw.
 */
export async function dismissForBoth(db: Db, viewer: Viewer, noticeId: string, now: number) {
  const pairId = sql`(select t.pair_id from notices t where t.id = ${noticeId} and t.recipient_id = ${viewer.userId})`;
  const [withdrawn, dismissed] = await writeAs(db.repeatable, viewer, [
    queryRows(db, idRow)`
      update notices set delivered_at = null, delivery_due_at = 0,
        read_at = iif(recipient_id = ${viewer.userId}, coalesce(read_at, ${now}), read_at),
        dismissed_at = iif(recipient_id = ${viewer.userId}, coalesce(dismissed_at, ${now}), dismissed_at)
      where pair_id = ${pairId}
        and exists (select 1 from match_pairs m where m.id = notices.pair_id and m.dismissed_at is null)
      returning id`,
    queryRows(db, idRow)`
      update match_pairs set dismissed_at = coalesce(dismissed_at, ${now}) where id = ${pairId} returning id`,
  ]);
  return { isKnown: dismissed.length > 0, noticeIds: idsOf(withdrawn) };
}

/** Work that is overdue when a person connects: their undelivered notices, and posts that have not been matched. */
export async function readUnfinished(db: Db, viewer: Viewer, before: number) {
  const [waiting, [overdue]] = await readAs(db, viewer, [
    queryRows(db, idRow)`
      select id from notices where recipient_id = ${viewer.userId} and delivered_at is null limit ${WAITING_MAX}`,
    queryRows(db, overdueRow)`select 1 as found from posts where match_pending_since < ${before} limit 1`,
  ]);
  return { noticeIds: idsOf(waiting), areMatchesOverdue: overdue !== undefined };
}

function countUnread(db: Db, viewer: Viewer) {
  return queryRows(db, countRow)`
    select count(*) as count from (
      select 1 from notices n ${JOIN_PAIR_AND_POSTS}
      where n.recipient_id = ${viewer.userId} and n.read_at is null and ${IS_SHOWN} and ${IS_OPEN}
      limit ${UNREAD_COUNT_MAX})`;
}
