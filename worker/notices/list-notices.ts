import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { UNREAD_COUNT_MAX } from '#contract/limits.ts';
import type { Notice, NoticeListQuery, ReadNotices } from '#contract/notices.ts';
import { type Db, readAs, writeAs } from '#worker/db/client.ts';
import {
  flag,
  idRow,
  idsOf,
  parseTimeCursor,
  queryFirst,
  queryRows,
  type RowOf,
  toTimePage,
} from '#worker/db/statements.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { IS_OPEN, IS_SHOWN, JOIN_PAIR_AND_POSTS, NOTICE_COLUMNS, noticeRow, toLiveMessage } from './read-notices.ts';

const countRow = () => z.object({ count: z.number() });

/** Reads a page of the notices that the viewer may still see, newest first, and the count of unread ones. */
export async function listNotices(db: Db, viewer: Viewer, { cursor, limit }: NoticeListQuery) {
  const from = parseTimeCursor(cursor);
  const { notices, unread } = await readAs(db, viewer, {
    notices: queryRows(db, pastNoticeRow)`
      select ${NOTICE_COLUMNS}, n.read_at, ${IS_OPEN} as is_open
      from notices n ${JOIN_PAIR_AND_POSTS}
      where n.recipient_id = ${viewer.userId} and ${IS_SHOWN}
        ${from ? sql`and n.created_at <= ${from.time} and (n.created_at, n.id) < (${from.time}, ${from.id})` : sql``}
      order by n.created_at desc, n.id desc limit ${limit + 1}`,
    unread: countUnread(db, viewer),
  });
  const page = toTimePage(notices, limit, (row) => ({ time: row.created_at, id: row.id }));
  return { ...page, unreadCount: unread?.count ?? 0 };
}

/** Marks the viewer's notices as read. @returns the notices that were unread before, and how many are unread now. */
export async function markRead(db: Db, viewer: Viewer, { ids, up_to }: ReadNotices, now: number) {
  const { read, unread } = await writeAs(db.repeatable, viewer, {
    read: queryRows(db, idRow)`
      update notices set read_at = ${now}, delivered_at = coalesce(delivered_at, ${now})
      where recipient_id = ${viewer.userId} and read_at is null and (
        id in (select value from json_each(${JSON.stringify(ids)}))
        or (created_at, id) <= (select u.created_at, u.id from notices u
          where u.id = ${up_to} and u.recipient_id = ${viewer.userId}))
      returning id`,
    unread: countUnread(db, viewer),
  });
  return { ids: idsOf(read), unreadCount: unread?.count ?? 0 };
}

function countUnread(db: Db, viewer: Viewer) {
  return queryFirst(db, countRow)`
    select count(*) as count from (
      select 1 from notices n ${JOIN_PAIR_AND_POSTS}
      where n.recipient_id = ${viewer.userId} and n.read_at is null and ${IS_SHOWN} and ${IS_OPEN}
      limit ${UNREAD_COUNT_MAX})`;
}

/** The row of a notice in its recipient's list. */
const pastNoticeRow = () => z.object({ ...noticeRow().shape, read_at: z.nullable(z.number()), is_open: flag() });
type PastNotice = RowOf<typeof pastNoticeRow>;

export function presentNotice(row: PastNotice, maxNumbers: number | null): Notice {
  return {
    message: toLiveMessage(row, maxNumbers),
    noticed_at: new Date(row.created_at).toISOString(),
    read_at: row.read_at === null ? null : new Date(row.read_at).toISOString(),
    is_open: row.is_open === 1,
  };
}
