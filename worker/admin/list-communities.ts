import { eq, type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { type AdminCommunity, adminCommunitySchema } from '#contract/admin.ts';
import type { AdminCommunityQuery, MemberListQuery } from '#contract/communities.ts';
import { EARLIER_REJECTIONS_MAX } from '#contract/limits.ts';
import { selectMembers, toMemberPage } from '#worker/communities/read-community.ts';
import { HAS_ADMIN } from '#worker/conditions/communities.ts';
import type { Db } from '#worker/db/client.ts';
import { containsAll, splitSearch } from '#worker/db/search-text.ts';
import {
  firstOf,
  flag,
  parseTimeCursor,
  queryRows,
  type RowOf,
  readAsPlatformAdmin,
  toTimePage,
} from '#worker/db/statements.ts';
import { communities } from '#worker/db/tables/communities.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { KNOWN_OF_PERSON, personRow, presentPerson } from '#worker/moderation/list-cases.ts';

/**
 * Expression: since when the community `c` or its new name waits for approval. The SQL must equal the expression of
 * the index, or SQLite does not use the index.
 */
const WAITS_SINCE = sql.raw('case when c.pending_name_at is null then c.created_at else c.pending_name_at end');
const ASKER = sql.raw('coalesce(c.pending_name_by, c.creator_id)');

/**
 * Reads a page of communities. For the status `pending`: communities that are pending or have a pending new name,
 * longest waiting first. Otherwise: approved communities, newest first. Also reads the people who requested the
 * communities or names and, for the status `pending`, the latest rejected requests of these people.
 */
export async function listCommunities(db: Db, viewer: Viewer, query: AdminCommunityQuery) {
  const page = selectPage(query);
  const { communities, askers, rejections } = await readAsPlatformAdmin(db, viewer, {
    communities: queryRows(db, adminCommunityRow)`${page}`,
    askers: queryRows(db, askerRow)`
      select ${KNOWN_OF_PERSON}, n.number as whatsapp_number
      from users u left join phone_numbers n on n.user_id = u.id where u.id in (select asker_id from (${page}))`,
    rejections: queryRows(db, rejectionRow)`
      select user_id, name, reason, rejected_at from (
        select r.*, row_number() over (partition by r.user_id order by r.rejected_at desc, r.id) as place
        from community_rejections r
        where ${query.status === 'pending'} and r.user_id in (select asker_id from (${page})))
      where place <= ${EARLIER_REJECTIONS_MAX} order by rejected_at desc`,
  });
  const cut = toTimePage(communities, query.limit, (row) => ({ time: row.since, id: row.id }));
  return { ...cut, known: { askers, rejections } };
}

/** Selects the page's communities and one more, which shows whether there is a next page. */
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

/**
 * Reads the community, if it exists, and its members in the order of joining. From this list, a platform admin appoints
 * an admin of the community.
 */
export async function listMembers(db: Db, viewer: Viewer, communityId: string, query: MemberListQuery) {
  const { community, members } = await readAsPlatformAdmin(db, viewer, {
    community: firstOf(db.select({ id: communities.id }).from(communities).where(eq(communities.id, communityId))),
    members: selectMembers(db, communityId, query),
  });
  return { community, page: toMemberPage(members, query) };
}

/** A community for a platform admin to decide on. The person who requested it is read separately. */
const adminCommunityRow = () =>
  z.object({
    ...z.omit(adminCommunitySchema, { asker: true, asker_whatsapp_number: true, earlier_rejections: true }).shape,
    created_at: z.number(),
    closes_at: z.nullable(z.number()),
    suspended_at: z.nullable(z.number()),
    has_admin: flag(),
    /** The sort key of the list. */
    since: z.number(),
    asker_id: z.string(),
  });
type AdminCommunityRow = RowOf<typeof adminCommunityRow>;

const askerRow = () => z.object({ ...personRow().shape, whatsapp_number: z.nullable(z.string()) });
const rejectionRow = () =>
  z.object({ user_id: z.string(), name: z.string(), reason: z.string(), rejected_at: z.number() });
type Known = { askers: RowOf<typeof askerRow>[]; rejections: RowOf<typeof rejectionRow>[] };

/** Returns the community with all data that a platform admin needs to decide on it. */
export function presentAdminCommunity(row: AdminCommunityRow, { askers, rejections }: Known): AdminCommunity[] {
  const { since: _, asker_id, ...community } = row;
  const asker = askers.find(({ id }) => id === asker_id);
  // The requester's account was deleted between two statements. The request was deleted with the account.
  if (!asker) return [];
  const { whatsapp_number, ...person } = asker;
  return [
    {
      ...community,
      created_at: new Date(row.created_at).toISOString(),
      closes_at: row.closes_at === null ? null : new Date(row.closes_at).toISOString(),
      suspended_at: row.suspended_at === null ? null : new Date(row.suspended_at).toISOString(),
      has_admin: row.has_admin === 1,
      asker: presentPerson(person),
      asker_whatsapp_number: whatsapp_number,
      earlier_rejections: rejections
        .filter(({ user_id }) => user_id === asker_id)
        .map(({ name, reason, rejected_at }) => ({ name, reason, rejected_at: new Date(rejected_at).toISOString() })),
    },
  ];
}
