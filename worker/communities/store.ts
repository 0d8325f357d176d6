import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { ApprovedListQuery, CommunityInput, CreatedCommunity } from '#contract/communities.ts';
import type { Language } from '#contract/language.ts';
import { type Db, publishAs, readAs } from '#worker/db/client.ts';
import { containsAll } from '#worker/db/contains-all.ts';
import { queryRows } from '#worker/db/rows.ts';
import { splitSearch } from '#worker/db/search-text.ts';
import { parseTimeCursor, toTimePage } from '#worker/db/time-page.ts';
import { newId } from '#worker/identity/ids.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { type Allowance, countIf, countOne, isWithin, readCount } from '#worker/limits/allowance.ts';
import { newAccessCode, newCommunityCode } from './codes.ts';
import { IS_LISTED, isRequestOf } from './community-conditions.ts';
import {
  approvedRow,
  communityRow,
  communitySearchText,
  type MemberCommunityRow,
  memberCommunityRow,
} from './community-rules.ts';

const joinedRow = () => z.object({ user_id: z.string() });

const COMMUNITY_COLUMNS = sql.raw(`
  c.id, c.name, c.description, c.community_code, c.access_code, c.approval_status, c.created_at, m.role as member_role,
  c.is_listed, c.pending_name, c.closes_at,
  exists (select 1 from memberships a where a.community_id = c.id and a.role = 'admin') as has_admin`);

/** Statement: one community and the viewer's role in it. */
export function selectCommunityWhere(db: Db, viewer: Viewer, condition: SQL) {
  return queryRows(db, communityRow)`
    select ${COMMUNITY_COLUMNS} from communities c
    left join memberships m on m.community_id = c.id and m.user_id = ${viewer.userId}
    where ${condition}`;
}

export async function findCommunity(db: Db, viewer: Viewer, communityId: string) {
  const [[row]] = await readAs(db, viewer, [selectCommunityWhere(db, viewer, sql`c.id = ${communityId}`)]);
  return row;
}

/** The viewer's own communities, the one joined last first. */
export async function listOwnCommunities(db: Db, viewer: Viewer, search: string): Promise<MemberCommunityRow[]> {
  const [rows] = await readAs(db, viewer, [
    queryRows(db, memberCommunityRow)`
      select ${COMMUNITY_COLUMNS} from memberships m cross join communities c on c.id = m.community_id
      where m.user_id = ${viewer.userId} and ${containsAll('c.search_text', splitSearch(search))}
      order by m.joined_at desc, c.id`,
  ]);
  return rows;
}

/** A page of the communities that are approved and listed, newest first: all that a stranger learns of them. */
export async function listApprovedCommunities(
  db: Db,
  viewer: Viewer,
  { search, cursor, limit }: ApprovedListQuery,
  now: number,
) {
  const before = parseTimeCursor(cursor);
  const [rows] = await readAs(db, viewer, [
    queryRows(db, approvedRow)`
      select c.id, c.name, c.description, c.member_count, c.created_at, exists (
        select 1 from memberships m where m.community_id = c.id and m.user_id = ${viewer.userId}) as is_member,
        exists (select 1 from join_requests r where ${isRequestOf(viewer, sql`c.id`, now)}) as has_requested
      from communities c where ${IS_LISTED} and ${containsAll('c.search_text', splitSearch(search))}
        ${before ? sql`and (c.created_at, c.id) < (${before.time}, ${before.id})` : sql``}
      order by c.created_at desc, c.id desc limit ${limit + 1}`,
  ]);
  return toTimePage(rows, limit, (row) => ({ time: row.created_at, id: row.id }));
}

export type NewCommunity = {
  input: CommunityInput;
  /** The creator's. */
  language: Language;
  allowance: Allowance;
  now: number;
};

/**
 * Counts the attempt and writes the community with its creator as admin while the creator is within the limit.
 * @returns the community beside the count; what was not written is for the caller to refuse.
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

/**
 * Looks a joining code up. A wrong one is counted in the same transaction, so that of any number of guesses at once
 * none goes uncounted, and a right one costs nothing.
 * @returns the wrong codes of the current hour, this one included.
 */
export async function readForJoin(
  db: Db,
  viewer: Viewer,
  attempt: { code: string; allowance: Allowance; now: number },
) {
  const { code, allowance, now } = attempt;
  const isWrong = sql`not exists (select 1 from communities where access_code = ${code})`;
  const [[community], , [counted]] = await publishAs(db, viewer, [
    selectCommunityWhere(db, viewer, sql`c.access_code = ${code}`),
    countIf(db, allowance, isWrong, now),
    readCount(db, allowance, now),
  ]);
  return { community, counted };
}

/** @returns false when the viewer was in already, as after joining twice at once. */
export async function insertMember(db: Db, viewer: Viewer, communityId: string, now: number): Promise<boolean> {
  const [rows] = await publishAs(db, viewer, [
    queryRows(db, joinedRow)`
      insert into memberships (community_id, user_id, role, joined_at)
      select c.id, ${viewer.userId}, 'member', ${now} from communities c
      where c.id = ${communityId} and c.approval_status = 1
      on conflict (community_id, user_id) do nothing returning user_id`,
  ]);
  return rows.length > 0;
}
