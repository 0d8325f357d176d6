import * as z from 'zod/mini';
import {
  type ApprovedCommunity,
  approvedCommunitySchema,
  type Community,
  type CommunityInput,
  type CommunityMember,
  type CommunityStats,
  communityMemberSchema,
  communitySchema,
} from '#contract/communities.ts';
import { flag, type RowOf } from '#worker/db/rows.ts';
import { toSearchText } from '#worker/db/search-text.ts';
import { AppError } from '#worker/errors/app-error.ts';

/** A community as its store reads it for a viewer; `member_role` is null for a stranger. */
export const communityRow = () =>
  z.object({
    ...communitySchema.shape,
    access_code: z.string(),
    created_at: z.number(),
    is_listed: flag(),
    closes_at: z.nullable(z.number()),
    has_admin: flag(),
    member_role: z.nullable(communitySchema.shape.member_role),
  });
export type CommunityRow = RowOf<typeof communityRow>;
export const memberCommunityRow = () =>
  z.object({ ...communityRow().shape, member_role: communitySchema.shape.member_role });
export type MemberCommunityRow = RowOf<typeof memberCommunityRow>;

/** What this member may see of a community, and the only place that hides the joining secret. */
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
    ...(row.member_role === 'admin' && { access_code: row.access_code }),
  };
}

/** @throws AppError community_not_found: to a stranger a community that exists answers as one that does not. */
export function assertMember(row: CommunityRow | undefined): MemberCommunityRow {
  if (!row?.member_role) throw new AppError('community_not_found');
  return { ...row, member_role: row.member_role };
}

/** @throws AppError community_not_found to a stranger, forbidden to a member who is no admin. */
export function assertCommunityAdmin(row: CommunityRow | undefined): MemberCommunityRow {
  const member = assertMember(row);
  if (member.member_role !== 'admin') throw new AppError('forbidden');
  return member;
}

/** @throws AppError what keeps the viewer from joining the community that the code named. */
export function assertJoinable(row: CommunityRow | undefined): CommunityRow {
  if (!row) throw new AppError('community_not_found');
  if (row.approval_status !== 1) throw new AppError('community_not_approved');
  if (row.member_role) throw new AppError('already_member');
  if (row.has_admin === 0) throw new AppError('community_has_no_admin');
  return row;
}

/** The fields that a search looks through. */
export function communitySearchText({ name, description }: CommunityInput): string {
  return toSearchText([name, description]);
}

export const memberCountRow = () => z.object({ member_count: z.number(), admin_username: z.nullable(z.string()) });
/** The sums of no posts are null. */
export const postCountsRow = () =>
  z.object({
    total: z.number(),
    by_finders: z.nullable(z.number()),
    found: z.nullable(z.number()),
    recent: z.nullable(z.number()),
  });
/** Posts at a location, whatever the case of its ASCII letters, spelled as in the newest of them. */
export const locationCountRow = () => z.object({ location: z.string(), posts: z.number(), newest: z.number() });
type LocationCount = Omit<RowOf<typeof locationCountRow>, 'newest'>;

export function presentStats(
  members: RowOf<typeof memberCountRow>,
  counts: RowOf<typeof postCountsRow>,
  locations: LocationCount[],
): CommunityStats {
  const { total, by_finders, found, recent } = counts;
  return {
    total_members: members.member_count,
    total_posts: total,
    found_items: by_finders ?? 0,
    lost_items: total - (by_finders ?? 0),
    resolved_posts: found ?? 0,
    active_posts: total - (found ?? 0),
    posts_last_7_days: recent ?? 0,
    most_active_location: mostActiveLocation(locations),
    admin_username: members.admin_username,
  };
}

/**
 * The location with most posts, whatever the case it is typed in. SQLite folds ASCII letters only, so that the
 * other spellings are brought together here.
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
type MemberRow = RowOf<typeof memberRow>;

export function presentMember({ user_id, username, role, joined_at }: MemberRow): CommunityMember {
  return { user_id, username, role, joined_at: new Date(joined_at).toISOString() };
}
