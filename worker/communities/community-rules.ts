import type {
  ApprovalStatus,
  ApprovedCommunity,
  Community,
  CommunityInput,
  CommunityMember,
  CommunityStats,
  MemberRole,
} from '#contract/communities.ts';
import { toSearchText } from '#worker/db/search-text.ts';
import { AppError } from '#worker/errors/app-error.ts';

/** A community as its store reads it for a viewer; `member_role` is null for a stranger. */
export type CommunityRow = {
  id: string;
  name: string;
  description: string;
  community_code: string;
  access_code: string;
  approval_status: ApprovalStatus;
  created_at: number;
  member_role: MemberRole | null;
};
export type MemberCommunityRow = CommunityRow & { member_role: MemberRole };

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
  return row;
}

/** The fields that a search looks through. */
export function communitySearchText({ name, description }: CommunityInput): string {
  return toSearchText([name, description]);
}

export type PostCounts = {
  total: number;
  by_finders: number | null;
  found: number | null;
  recent: number | null;
};
/** Posts at a location, whatever the case of its ASCII letters, spelled as in the newest of them. */
export type LocationCount = { location: string; posts: number };

export function presentStats(
  members: { member_count: number; admin_username: string | null },
  counts: PostCounts,
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

export type ApprovedRow = Omit<ApprovedCommunity, 'is_member'> & { created_at: number; is_member: 0 | 1 };

export function presentApproved({ id, name, description, member_count, is_member }: ApprovedRow): ApprovedCommunity {
  return { id, name, description, member_count, is_member: is_member === 1 };
}

export type MemberRow = Omit<CommunityMember, 'joined_at'> & { joined_at: number };

export function presentMember({ user_id, username, role, joined_at }: MemberRow): CommunityMember {
  return { user_id, username, role, joined_at: new Date(joined_at).toISOString() };
}
