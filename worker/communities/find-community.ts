import { type SQL, sql } from 'drizzle-orm';
import type { ApprovedListQuery } from '#contract/communities.ts';
import { ACCESS_CODE_CHARS } from '#contract/limits.ts';
import { HAS_ADMIN, hasRequested, IS_LISTED, isMember, isRemovedFrom } from '#worker/conditions/communities.ts';
import { type Db, readAs } from '#worker/db/client.ts';
import { containsAll, splitSearch } from '#worker/db/search-text.ts';
import { parseTimeCursor, queryFirst, queryRows, toTimePage } from '#worker/db/statements.ts';
import { randomCode } from '#worker/identity/codes.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import {
  approvedRow,
  communityRow,
  type MemberCommunityRow,
  memberCommunityRow,
  newcomerRow,
} from './present-community.ts';

const COMMUNITY_COLUMNS = sql`
  c.id, c.name, c.description, c.community_code, c.access_code, c.approval_status, c.created_at, m.role as member_role,
  c.is_listed, c.pending_name, c.closes_at, c.suspended_at is not null as is_suspended, c.suspension_reason, c.member_count,
  ${HAS_ADMIN} as has_admin`;

function joinOwnMembership(viewer: Viewer): SQL {
  return sql`left join memberships m on m.community_id = c.id and m.user_id = ${viewer.userId}`;
}

/** Statement: one community and the viewer's role in it. */
export function selectCommunityWhere(db: Db, viewer: Viewer, condition: SQL) {
  return queryFirst(db, communityRow)`
    select ${COMMUNITY_COLUMNS} from communities c ${joinOwnMembership(viewer)} where ${condition}`;
}

/** Statement: one community, with the data that decide whether the viewer may join or ask to join. */
export function selectForNewcomer(db: Db, viewer: Viewer, condition: SQL, now: number) {
  const community = sql.raw('c.id');
  return queryFirst(db, newcomerRow)`
    select ${COMMUNITY_COLUMNS}, ${IS_LISTED} as is_findable,
      ${isRemovedFrom(community, sql`${viewer.userId}`, now)} as is_removed,
      ${hasRequested(community, sql`${viewer.userId}`, now)} as has_requested
    from communities c ${joinOwnMembership(viewer)} where ${condition}`;
}

export async function findCommunity(db: Db, viewer: Viewer, communityId: string) {
  const { community } = await readAs(db, viewer, {
    community: selectCommunityWhere(db, viewer, sql`c.id = ${communityId}`),
  });
  return community;
}

/** Lists the viewer's communities, most recently joined first. */
export async function listOwnCommunities(db: Db, viewer: Viewer, search: string): Promise<MemberCommunityRow[]> {
  const { communities } = await readAs(db, viewer, {
    communities: queryRows(db, memberCommunityRow)`
      select ${COMMUNITY_COLUMNS} from memberships m cross join communities c on c.id = m.community_id
      where m.user_id = ${viewer.userId} and ${containsAll('c.search_text', splitSearch(search))}
      order by m.joined_at desc, c.id`,
  });
  return communities;
}

/** Reads a page of the approved and listed communities, newest first. Strangers see no other communities. */
export async function listApprovedCommunities(
  db: Db,
  viewer: Viewer,
  { search, cursor, limit }: ApprovedListQuery,
  now: number,
) {
  const before = parseTimeCursor(cursor);
  const { found } = await readAs(db, viewer, {
    found: queryRows(db, approvedRow)`
      select c.id, c.name, c.description, c.member_count, c.created_at,
        ${isMember(sql.raw('c.id'), viewer.userId)} as is_member,
        ${hasRequested(sql.raw('c.id'), sql`${viewer.userId}`, now)} as has_requested
      from communities c indexed by communities_listed
      where ${IS_LISTED} and ${containsAll('c.search_text', splitSearch(search))}
        ${before ? sql`and (c.created_at, c.id) < (${before.time}, ${before.id})` : sql``}
      order by c.created_at desc, c.id desc limit ${limit + 1}`,
  });
  return toTimePage(found, limit, (row) => ({ time: row.created_at, id: row.id }));
}

const COMMUNITY_CODE_CHARS = 8;

/** Makes the secret with which people join, from a CSPRNG: 31^10 possibilities, about 49 bits. */
export function newAccessCode(): string {
  return randomCode(ACCESS_CODE_CHARS);
}

/** Makes the code that identifies a community publicly, in posts. Its length differs from an access code's. */
export function newCommunityCode(): string {
  return randomCode(COMMUNITY_CODE_CHARS);
}
