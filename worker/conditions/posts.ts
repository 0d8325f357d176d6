import { type SQL, sql } from 'drizzle-orm';
import type { HiddenBy } from '#contract/posts.ts';
import { isPlatformAdmin, type Viewer } from '#worker/identity/viewer.ts';
import { communityIdOf, isAdminOf, isMember, isSuspended } from './communities.ts';
import { areNotApart } from './people.ts';

// The only place that decides who may see a post: rules V1 to V6, V8, V17 to V19, V35 and V36 of docs/product.md.

/**
 * The causes that can hide a post. Each cause has its own bit in `posts.hidden_by`; 0 means that nothing hides the
 * post.
 */
export const HIDING_BITS = {
  reports: 1,
  community: 2,
  admin: 4,
  suspension: 8,
  community_suspension: 32,
} as const satisfies Record<HiddenBy, number>;

/**
 * A closed account hides its posts until the account is erased. Nobody is notified, and nobody can restore the posts.
 */
export type Hider = HiddenBy | 'closed_account';
const ALL_BITS: Record<Hider, number> = { ...HIDING_BITS, closed_account: 16 };

/** Returns the causes whose bits are set in `posts.hidden_by`, without `closed_account`. */
export function readHiddenBy(bits: number): HiddenBy[] {
  return (Object.keys(HIDING_BITS) as HiddenBy[]).filter((name) => (bits & HIDING_BITS[name]) !== 0);
}

/** Whether a post is hidden because its community is suspended. */
export function isHiddenWithCommunity(bits: number): boolean {
  return (bits & HIDING_BITS.community_suspension) !== 0;
}

export function bitsOf(by: readonly Hider[]): number {
  return by.reduce((sum, name) => sum | ALL_BITS[name], 0);
}

/** Expression: the initial `hidden_by` of a post in the community. @param communityId null for a public post. */
export function hidingIn(communityId: string | null): SQL {
  return sql`iif(${isSuspended(sql`${communityId}`)}, ${HIDING_BITS.community_suspension}, 0)`;
}

type PostForViewer = { author_id: string; is_opened: 0 | 1 };

/** Whether the viewer may see the post. The row's `is_opened` must be the result of `isOpenedBy`. */
export function canSee(post: PostForViewer, viewer: Viewer | null): boolean {
  return post.is_opened === 1 || post.author_id === viewer?.userId;
}

/** Whether visitors may learn that a community's post exists. */
export function isKnownToBeForMembers({ community_id, hidden_by, away_since }: PostStanding): boolean {
  return community_id !== null && hidden_by === 0 && away_since === null;
}

/** Whether a viewer who can see the post can also see its photos. Only the post's author sees photos of a document. */
export function canSeePhotos({ kind, author_id }: PostPhotographed, viewer: Viewer | null): boolean {
  return kind !== 'document' || author_id === viewer?.userId;
}

/**
 * Returns the audience of a post's photos: null for everybody, else a name that is part of the photos' signed URLs. If
 * the audience changes, the old URLs stop working.
 */
export function photoAudienceOf({
  kind,
  community_id,
  hidden_by,
  away_since,
}: PostStanding & { kind: string }): string | null {
  if (kind === 'document') return 'author';
  if (hidden_by !== 0 || away_since !== null) return 'who sees it all the same';
  return community_id === null ? null : `community ${community_id}`;
}

type PostPhotographed = { kind: string; author_id: string };
type PostStanding = { community_id: string | null; hidden_by: number; away_since: number | null };

type PostAlias = 'p' | 'q';

/**
 * Condition: the post may be listed for the person. A list of the newest posts checks the same rule in parts, so that
 * it can use indexes: `selectPlaces`, `isThere` and `isNotHiddenFrom`.
 * @param post the query's alias for the table `posts`.
 * @param userId the person's id: a value, or a column such as `n.recipient_id`; null for a visitor.
 */
export function isShownTo(post: PostAlias, userId: SQL | null): SQL {
  const community = sql.raw(`${post}.community_id`);
  const isInReach = userId ? sql`(${community} is null or ${isMember(community, userId)})` : sql`${community} is null`;
  return sql`(${isThere(post)} and ${isInReach} and ${isNotHiddenFrom(post, userId)})`;
}

/**
 * Selects, as `id`, whose posts a list may contain for the person: null for the public posts, and the ids of the
 * person's communities. With a community code selects only this community, and does not check that the person is a
 * member.
 */
export function selectPlaces(userId: SQL | null, communityCode: string | null): SQL {
  // For an unknown community code this select returns no row. A scalar subquery would return null, which means the
  // public posts.
  if (communityCode !== null) return sql`select id from ${communityIdOf(communityCode)}`;
  const open = sql`select null as id`;
  return userId ? sql`${open} union all select community_id from memberships where user_id = ${userId}` : open;
}

/** Condition: the post is neither closed nor resting. The indexes for lists contain only such posts. */
export function isThere(post: PostAlias | 'w'): SQL {
  return sql.raw(`${post}.away_since is null`);
}

/**
 * Condition: neither the author nor the person has blocked the other. If the post is hidden, the person must also be
 * its author, an admin of its community or a platform admin.
 */
export function isNotHiddenFrom(post: PostAlias, userId: SQL | null): SQL {
  if (!userId) return sql.raw(`${post}.hidden_by = 0`);
  return sql`((${sql.raw(post)}.hidden_by = 0 or ${sql.raw(post)}.author_id = ${userId} or ${isPlatformAdmin(userId)}
    or ${isAdminOf(sql.raw(`${post}.community_id`), userId)})
    and ${areNotApart(sql.raw(`${post}.author_id`), userId)})`;
}

/**
 * Condition: the person may open the post. Unlike `isShownTo`, this condition lets a platform admin open the hidden
 * posts of communities that the admin has not joined.
 */
export function isOpenedBy(post: PostAlias, userId: SQL): SQL {
  return sql`(${isShownTo(post, userId)} or (${isThere(post)} and ${sql.raw(post)}.hidden_by <> 0
    and ${isPlatformAdmin(userId)} and ${areNotApart(sql.raw(`${post}.author_id`), userId)}))`;
}

/**
 * Condition: some posts may be hidden from the person. If so, a list omits some posts that it reads. A page with few
 * posts is then not always the last page, so the list must also return up to which post it has read.
 */
export function mayMiss(userId: SQL | null): SQL {
  const isAnyHidden = sql`exists (select 1 from posts where hidden_by <> 0)`;
  if (!userId) return isAnyHidden;
  return sql`(${isAnyHidden} or exists (
    select 1 from blocks where blocker_id = ${userId} or blocked_id = ${userId}))`;
}

/**
 * Condition: the claims on the post are paused, because the post is hidden or its author is suspended. A suspension
 * hides only the open posts of an author, but pauses the claims on all posts of the author.
 */
export function arePaused(post: PostAlias): SQL {
  return sql.raw(`(${post}.hidden_by <> 0 or exists (
    select 1 from users z where z.id = ${post}.author_id and z.suspended_at is not null))`);
}

/**
 * Condition: the post is open and not hidden. Only such posts are matched and notified about.
 * @param post the query's alias for the table `posts`.
 */
export function isOpen(post: PostAlias | 'o' | 'u' | 'y'): SQL {
  return sql`(${isOpenEvenHidden(post)} and ${sql.raw(post)}.hidden_by = 0)`;
}

/** Condition: the post is open, whether or not it is hidden. @param post the query's name for the table `posts`. */
export function isOpenEvenHidden(post: PostAlias | 'o' | 'u' | 'y' | 'posts'): SQL {
  return sql.raw(`(${post}.is_found = 0 and ${post}.away_since is null)`);
}
