import * as z from 'zod/mini';
import {
  type ApprovedCommunity,
  approvedCommunitySchema,
  type Closing,
  type Community,
  type CommunityInput,
  type CommunityMember,
  type CommunityPage,
  type CommunityStats,
  communityMemberSchema,
  communitySchema,
  type JoinRequest,
  joinRequestSchema,
} from '#contract/communities.ts';
import { toSearchText } from '#worker/db/search-text.ts';
import { flag, type RowOf } from '#worker/db/statements.ts';

/** A community with the viewer's role in it; `member_role` is null if the viewer is not a member. */
export const communityRow = () =>
  z.object({
    ...communitySchema.shape,
    access_code: z.string(),
    created_at: z.number(),
    is_listed: flag(),
    closes_at: z.nullable(z.number()),
    is_suspended: flag(),
    member_count: z.number(),
    has_admin: flag(),
    member_role: z.nullable(communitySchema.shape.member_role),
  });
export type CommunityRow = RowOf<typeof communityRow>;
export const memberCommunityRow = () =>
  z.object({ ...communityRow().shape, member_role: communitySchema.shape.member_role });
export type MemberCommunityRow = RowOf<typeof memberCommunityRow>;

/** A community for a person who may want to join it. */
export const newcomerRow = () =>
  z.object({
    ...communityRow().shape,
    /** Whether strangers can find the community by name. */
    is_findable: flag(),
    /** Whether the viewer was removed recently and may not rejoin yet. */
    is_removed: flag(),
    /** Whether the viewer has asked to join and may not ask again yet. */
    has_requested: flag(),
  });
export type NewcomerRow = RowOf<typeof newcomerRow>;

/** Presents what a member may see of a community. No other function decides who sees the access code. */
export function presentCommunity(row: MemberCommunityRow): Community {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    community_code: row.community_code,
    member_role: row.member_role,
    approval_status: row.approval_status,
    created_at: new Date(row.created_at).toISOString(),
    is_listed: row.is_listed === 1,
    pending_name: row.member_role === 'admin' ? row.pending_name : null,
    closes_at: row.closes_at === null ? null : new Date(row.closes_at).toISOString(),
    is_suspended: row.is_suspended === 1,
    suspension_reason: row.member_role === 'admin' ? row.suspension_reason : null,
    ...(row.member_role === 'admin' && { access_code: row.access_code }),
  };
}

export function communitySearchText({ name, description }: CommunityInput): string {
  return toSearchText([name, description]);
}

/** @param row a community that is closing. */
export function presentClosing(row: CommunityRow | undefined): Closing {
  return { closes_at: new Date(row?.closes_at ?? 0).toISOString() };
}

export const nameRow = () => z.object({ username: z.string() });

/** @param admins the community's unsuspended admins. */
export function presentPage(
  row: MemberCommunityRow,
  waiting: unknown[],
  admins: RowOf<typeof nameRow>[],
): CommunityPage {
  return {
    ...presentCommunity(row),
    member_count: row.member_count,
    admins: admins.map(({ username }) => username),
    waiting_requests: row.member_role === 'admin' ? waiting.length : 0,
  };
}

export const requestRow = () => z.object({ ...joinRequestSchema.shape, created_at: z.number() });

export function presentRequest({ created_at, ...request }: RowOf<typeof requestRow>): JoinRequest {
  return { ...request, created_at: new Date(created_at).toISOString() };
}

export const memberCountRow = () => z.object({ member_count: z.number(), admin_username: z.nullable(z.string()) });
/** All columns except `total` are sums in SQL, which are null if the community has no posts. */
export const postCountsRow = () =>
  z.object({
    total: z.number(),
    by_finders: z.nullable(z.number()),
    found: z.nullable(z.number()),
    open: z.nullable(z.number()),
    recent: z.nullable(z.number()),
  });
/**
 * A location, spelled as in its newest post, and the number of its posts. SQLite ignores the case of ASCII letters
 * only, so spellings that differ in the case of any other letter are separate rows.
 */
export const locationCountRow = () => z.object({ location: z.string(), posts: z.number(), newest: z.number() });
type LocationCount = Omit<RowOf<typeof locationCountRow>, 'newest'>;

export function presentStats(
  members: RowOf<typeof memberCountRow>,
  counts: RowOf<typeof postCountsRow>,
  locations: LocationCount[],
): CommunityStats {
  const { total, by_finders, found, open, recent } = counts;
  return {
    total_members: members.member_count,
    total_posts: total,
    found_items: by_finders ?? 0,
    lost_items: total - (by_finders ?? 0),
    resolved_posts: found ?? 0,
    active_posts: open ?? 0,
    posts_last_7_days: recent ?? 0,
    most_active_location: mostActiveLocation(locations),
    admin_username: members.admin_username,
  };
}

/**
 * Returns the location with the most posts. Merges spellings that differ only in upper and lower case: SQLite can merge
 * them for ASCII letters only.
 * @param locations most posts first.
 */
export function mostActiveLocation(locations: LocationCount[]): string | null {
  const groups = Map.groupBy(locations, ({ location }) => location.trim().toLowerCase());
  let best: { spelling: string; posts: number } | null = null;
  for (const [folded, spellings] of groups) {
    const posts = spellings.reduce((sum, spelling) => sum + spelling.posts, 0);
    if (folded && posts > (best?.posts ?? 0)) best = { spelling: spellings[0]?.location.trim() ?? folded, posts };
  }
  return best?.spelling ?? null;
}

export const approvedRow = () =>
  z.object({ ...approvedCommunitySchema.shape, created_at: z.number(), is_member: flag(), has_requested: flag() });
type ApprovedRow = RowOf<typeof approvedRow>;

export function presentApproved(row: ApprovedRow): ApprovedCommunity {
  const { id, name, description, member_count, is_member, has_requested } = row;
  return { id, name, description, member_count, is_member: is_member === 1, has_requested: has_requested === 1 };
}

export const memberRow = () => z.object({ ...communityMemberSchema.shape, joined_at: z.number() });
export type MemberRow = RowOf<typeof memberRow>;

export function presentMember({ user_id, username, role, joined_at }: MemberRow): CommunityMember {
  return { user_id, username, role, joined_at: new Date(joined_at).toISOString() };
}
