import { sql } from 'drizzle-orm';
import { create, toBuffer } from 'qrcode/lib/server.js';
import type { MemberListQuery } from '#contract/communities.ts';
import { DAY_MS } from '#contract/durations.ts';
import { ADMINS_NAMED_MAX, RECENT_ACTIVITY_DAYS, WAITING_REQUESTS_MAX } from '#contract/limits.ts';
import { RUNS_IT } from '#worker/conditions/communities.ts';
import { type Db, readAs } from '#worker/db/client.ts';
import { idRow, parseTimeCursor, queryFirst, queryRows, type RowOf, toTimePage } from '#worker/db/statements.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { selectCommunityWhere } from './find-community.ts';
import { locationCountRow, memberCountRow, memberRow, nameRow, postCountsRow } from './present-community.ts';

/** How many spellings of locations the Worker reads and merges. It reads the spellings with the most posts. */
const LOCATIONS_READ = 100;

/**
 * Statement: reads one page of the members in the order of joining, so that the creator comes first. Reads one member
 * more than a page has, to find out whether another page follows.
 */
export function selectMembers(db: Db, communityId: string, { cursor, limit }: MemberListQuery) {
  const after = parseTimeCursor(cursor);
  return queryRows(db, memberRow)`
    select m.user_id, u.username, m.role, m.joined_at
    from memberships m cross join users u on u.id = m.user_id
    where m.community_id = ${communityId}
      ${after ? sql`and (m.joined_at, m.user_id) > (${after.time}, ${after.id})` : sql``}
    order by m.joined_at, m.user_id limit ${limit + 1}`;
}

export function toMemberPage(rows: RowOf<typeof memberRow>[], { limit }: MemberListQuery) {
  return toTimePage(rows, limit, (row) => ({ time: row.joined_at, id: row.user_id }));
}

/** Reads a page of the community's members. With the result `community`, the caller checks what the viewer may do. */
export async function readMembers(db: Db, viewer: Viewer, communityId: string, query: MemberListQuery) {
  const { community, members } = await readAs(db, viewer, {
    community: selectCommunityWhere(db, viewer, sql`c.id = ${communityId}`),
    members: selectMembers(db, communityId, query),
  });
  return { community, page: toMemberPage(members, query) };
}

/** Reads all that the community's page shows. With the result `community`, the caller checks what the viewer may do. */
export async function readPage(db: Db, viewer: Viewer, communityId: string) {
  const { community, waiting, admins } = await readAs(db, viewer, {
    community: selectCommunityWhere(db, viewer, sql`c.id = ${communityId}`),
    waiting: queryRows(db, idRow)`
      select id from join_requests where community_id = ${communityId} and declined_at is null
      limit ${WAITING_REQUESTS_MAX}`,
    admins: queryRows(db, nameRow)`
      select u.username from memberships a cross join users u on u.id = a.user_id
      where a.community_id = ${communityId} and ${RUNS_IT}
      order by a.joined_at, a.user_id limit ${ADMINS_NAMED_MAX}`,
  });
  return { community, waiting, admins };
}

/** Reads everything that the statistics need, in one round trip. Reads only the rows of this community. */
export async function readStats(db: Db, viewer: Viewer, communityId: string, now: number) {
  const { community, members, counts, locations } = await readAs(db, viewer, {
    community: selectCommunityWhere(db, viewer, sql`c.id = ${communityId}`),
    members: queryFirst(db, memberCountRow)`
      select c.member_count, u.username as admin_username
      from communities c left join users u on u.id = c.creator_id where c.id = ${communityId}`,
    counts: queryFirst(db, postCountsRow)`
      select count(*) as total, sum(posted_by = 'finder') as by_finders, sum(is_found) as found,
        sum(is_found = 0 and away_since is null and hidden_by = 0) as open,
        sum(created_at >= ${now - RECENT_ACTIVITY_DAYS * DAY_MS}) as recent
      from posts where community_id = ${communityId}`,
    locations: queryRows(db, locationCountRow)`
      select location, count(*) as posts, max(seq) as newest from posts where community_id = ${communityId}
      group by lower(trim(location)) order by posts desc, newest desc limit ${LOCATIONS_READ}`,
  });
  return { community, members, counts, locations };
}

const MIN_PIXELS = 512;
/** The width of the white border around a QR code. The QR code standard requires the border, and scanners need it. */
const QUIET_ZONE_MODULES = 4;
const ERROR_CORRECTION = 'M';
/**
 * The PNG filter Paeth, which compresses nearly every row of a QR code best. By default `pngjs` tries all five filters,
 * which takes longer.
 */
const PNG_FILTER = 4;

/**
 * Makes a QR code. The squares of the code are a whole number of pixels wide, so that their edges stay sharp in print.
 * @returns a PNG in base64.
 */
export async function makeQrCode(content: string): Promise<string> {
  const { modules } = create(content, { errorCorrectionLevel: ERROR_CORRECTION });
  const scale = Math.ceil(MIN_PIXELS / (modules.size + 2 * QUIET_ZONE_MODULES));
  const png = await toBuffer(content, {
    errorCorrectionLevel: ERROR_CORRECTION,
    margin: QUIET_ZONE_MODULES,
    scale,
    rendererOpts: { filterType: PNG_FILTER } as object,
  });
  return png.toString('base64');
}
