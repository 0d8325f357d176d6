import { type SQL, sql } from 'drizzle-orm';
import type { ApprovedListQuery, CommunityInput, CreatedCommunity } from '#contract/communities.ts';
import type { Language } from '#contract/language.ts';
import { type Db, publishAs, readAs } from '#worker/db/client.ts';
import { containsAll } from '#worker/db/contains-all.ts';
import { queryRows } from '#worker/db/rows.ts';
import { splitSearch } from '#worker/db/search-text.ts';
import { parseTimeCursor, toTimePage } from '#worker/db/time-page.ts';
import { newId } from '#worker/identity/ids.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { type Allowance, countOne, isWithin } from '#worker/limits/allowance.ts';
import { newAccessCode, newCommunityCode } from './codes.ts';
import { HAS_ADMIN, hasRequested, IS_LISTED, isMember, isRemovedFrom } from './community-conditions.ts';
import {
  approvedRow,
  communityRow,
  communitySearchText,
  type MemberCommunityRow,
  memberCommunityRow,
  newcomerRow,
} from './community-rules.ts';

const COMMUNITY_COLUMNS = sql`
  c.id, c.name, c.description, c.community_code, c.access_code, c.approval_status, c.created_at, m.role as member_role,
  c.is_listed, c.pending_name, c.closes_at, c.suspended_at is not null as is_suspended, c.suspension_reason, c.member_count,
  ${HAS_ADMIN} as has_admin`;

function joinOwnMembership(viewer: Viewer): SQL {
  return sql`left join memberships m on m.community_id = c.id and m.user_id = ${viewer.userId}`;
}

/** Statement: one community and the viewer's role in it. */
export function selectCommunityWhere(db: Db, viewer: Viewer, condition: SQL) {
  return queryRows(db, communityRow)`
    select ${COMMUNITY_COLUMNS} from communities c ${joinOwnMembership(viewer)} where ${condition}`;
}

/** Statement: as `selectCommunityWhere`, for somebody who may want to join. */
export function selectForNewcomer(db: Db, viewer: Viewer, condition: SQL, now: number) {
  const community = sql.raw('c.id');
  return queryRows(db, newcomerRow)`
    select ${COMMUNITY_COLUMNS}, ${IS_LISTED} as is_findable,
      ${isRemovedFrom(community, sql`${viewer.userId}`, now)} as is_removed,
      ${hasRequested(community, sql`${viewer.userId}`, now)} as has_requested
    from communities c ${joinOwnMembership(viewer)} where ${condition}`;
}

export async function findCommunity(db: Db, viewer: Viewer, communityId: string) {
  const [[row]] = await readAs(db, viewer, [selectCommunityWhere(db, viewer, sql`c.id = ${communityId}`)]);
  return row;
}

/** The viewer's communities, most recently joined first. */
export async function listOwnCommunities(db: Db, viewer: Viewer, search: string): Promise<MemberCommunityRow[]> {
  const [rows] = await readAs(db, viewer, [
    queryRows(db, memberCommunityRow)`
      select ${COMMUNITY_COLUMNS} from memberships m cross join communities c on c.id = m.community_id
      where m.user_id = ${viewer.userId} and ${containsAll('c.search_text', splitSearch(search))}
      order by m.joined_at desc, c.id`,
  ]);
  return rows;
}

/** A page of the approved and listed communities, newest first. Strangers learn of no others. */
export async function listApprovedCommunities(
  db: Db,
  viewer: Viewer,
  { search, cursor, limit }: ApprovedListQuery,
  now: number,
) {
  const before = parseTimeCursor(cursor);
  const [rows] = await readAs(db, viewer, [
    queryRows(db, approvedRow)`
      select c.id, c.name, c.description, c.member_count, c.created_at,
        ${isMember(sql.raw('c.id'), viewer.userId)} as is_member,
        ${hasRequested(sql.raw('c.id'), sql`${viewer.userId}`, now)} as has_requested
      from communities c indexed by communities_listed
      where ${IS_LISTED} and ${containsAll('c.search_text', splitSearch(search))}
        ${before ? sql`and (c.created_at, c.id) < (${before.time}, ${before.id})` : sql``}
      order by c.created_at desc, c.id desc limit ${limit + 1}`,
  ]);
  return toTimePage(rows, limit, (row) => ({ time: row.created_at, id: row.id }));
}

type NewCommunity = {
  input: CommunityInput;
  /** The creator's. */
  language: Language;
  allowance: Allowance;
  now: number;
};

/**
 * Counts the attempt and, within the limit, creates the community with its creator as admin.
 * @returns the community and the count; beyond the limit nothing was created, and the caller has to refuse.
 */
export async function insertCommunity(db: Db, viewer: Viewer, community: NewCommunity) {
  const { input, allowance, now } = community;
  const created: CreatedCommunity = { id: newId(), name: input.name, access_code: newAccessCode(), approval_status: 0 };
  const [[counted]] = await publishAs(db, viewer, [
    countOne(db, allowance, now),
    db.run(sql`
      insert into communities (id, name, description, search_text, community_code, access_code, creator_id,
        creator_language, created_at)
      select ${created.id}, ${input.name}, ${input.description}, ${communitySearchText(input)}, ${newCommunityCode()},
        ${created.access_code}, ${viewer.userId}, ${community.language}, ${now} where ${isWithin(allowance, now)}`),
    db.run(sql`
      insert into memberships (community_id, user_id, role, joined_at)
      select c.id, ${viewer.userId}, 'admin', ${now} from communities c where c.id = ${created.id}`),
  ]);
  return { created, counted };
}
