import { type SQL, sql } from 'drizzle-orm';
import type { AdminCommunityQuery, MemberListQuery } from '#contract/communities.ts';
import { EARLIER_REJECTIONS_MAX } from '#contract/limits.ts';
import { HAS_ADMIN, selectMembers, toMemberPage } from '#worker/communities/index.ts';
import type { Db } from '#worker/db/client.ts';
import { containsAll } from '#worker/db/contains-all.ts';
import { readAsPlatformAdmin } from '#worker/db/platform-admin.ts';
import { idRow, queryRows } from '#worker/db/rows.ts';
import { splitSearch } from '#worker/db/search-text.ts';
import { parseTimeCursor, toTimePage } from '#worker/db/time-page.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { KNOWN_OF_PERSON } from '#worker/moderation/index.ts';
import { adminCommunityRow, askerRow, rejectionRow } from './community-rules.ts';

/** Since when a community `c` has been waiting for the platform's admins. The index has the same expression. */
const WAITS_SINCE = sql.raw('case when c.pending_name_at is null then c.created_at else c.pending_name_at end');
const ASKER = sql.raw('coalesce(c.pending_name_by, c.creator_id)');

/**
 * A page of pending communities and names, longest waiting first, or of approved communities, newest first; with the
 * people who ask and their earlier rejections.
 */
export async function listCommunities(db: Db, viewer: Viewer, query: AdminCommunityQuery) {
  const page = selectPage(query);
  const [rows, askers, rejections] = await readAsPlatformAdmin(db, viewer, [
    queryRows(db, adminCommunityRow)`${page}`,
    queryRows(db, askerRow)`
      select ${KNOWN_OF_PERSON}, n.number as whatsapp_number
      from users u left join phone_numbers n on n.user_id = u.id where u.id in (select asker_id from (${page}))`,
    queryRows(db, rejectionRow)`
      select user_id, name, reason, rejected_at from (
        select r.*, row_number() over (partition by r.user_id order by r.rejected_at desc, r.id) as place
        from community_rejections r
        where ${query.status === 'pending'} and r.user_id in (select asker_id from (${page})))
      where place <= ${EARLIER_REJECTIONS_MAX} order by rejected_at desc`,
  ]);
  const cut = toTimePage(rows, query.limit, (row) => ({ time: row.since, id: row.id }));
  return { ...cut, known: { askers, rejections } };
}

/** The page's communities and one more. */
function selectPage({ status, search, cursor, limit }: AdminCommunityQuery): SQL {
  const isPending = status === 'pending';
  const since = isPending ? WAITS_SINCE : sql.raw('c.created_at');
  const from = parseTimeCursor(cursor);
  const beyond = isPending ? sql`>` : sql`<`;
  const which = isPending ? sql`(c.approval_status = 0 or c.pending_name is not null)` : sql`c.approval_status = 1`;
  return sql`
    select c.id, c.name, c.description, c.approval_status, u.username as creator_username, c.member_count, c.created_at,
      c.closes_at, c.suspended_at, c.suspension_reason, c.pending_name, ${since} as since, ${ASKER} as asker_id,
      ${HAS_ADMIN} as has_admin
    from communities c cross join users u on u.id = c.creator_id
    where ${which} and c.closed_at is null and ${containsAll('c.search_text', splitSearch(search))}
      ${from ? sql`and (${since}, c.id) ${beyond} (${from.time}, ${from.id})` : sql``}
    order by ${isPending ? sql`${since}, c.id` : sql`${since} desc, c.id desc`} limit ${limit + 1}`;
}

/** The community, if it exists, and its members in the order of joining, to appoint one of them as admin. */
export async function listMembers(db: Db, viewer: Viewer, communityId: string, query: MemberListQuery) {
  const [[community], rows] = await readAsPlatformAdmin(db, viewer, [
    queryRows(db, idRow)`select id from communities where id = ${communityId}`,
    selectMembers(db, communityId, query),
  ]);
  return { community, page: toMemberPage(rows, query) };
}
