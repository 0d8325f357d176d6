import { type SQL, sql } from 'drizzle-orm';
import type { HiddenBy } from '#contract/posts.ts';
import type { Viewer } from '#worker/identity/viewer.ts';

// Who may see a post stands here alone: a public post is for everyone, a community's for its members, one's own for
// oneself, one that is hidden for its author and those who can lift it, the admins, and one that is closed or rests for
// its author alone, apart from every list but theirs. Of two people of whom one has blocked the other neither sees
// anything of the other's.

/** Each hides a post for itself and lifts its own: a bit of `posts.hidden_by`, which is 0 while nobody hides it. */
export const HIDING_BITS = { reports: 1, community: 2, admin: 4, suspension: 8 } as const satisfies Record<
  HiddenBy,
  number
>;

/** What people are told of, and what nobody lifts: that the author's account is closed, and waits for its erasure. */
export type Hider = HiddenBy | 'closed_account';
const ALL_BITS: Record<Hider, number> = { ...HIDING_BITS, closed_account: 16 };

/** The words for the bits of `posts.hidden_by`. */
export function readHiddenBy(bits: number): HiddenBy[] {
  return (Object.keys(HIDING_BITS) as HiddenBy[]).filter((name) => (bits & HIDING_BITS[name]) !== 0);
}

export function bitsOf(by: readonly Hider[]): number {
  return by.reduce((sum, name) => sum | ALL_BITS[name], 0);
}

export type PostForViewer = { author_id: string; is_opened: 0 | 1 };

/** Whether the viewer may see a post that was read with `isOpenedBy` as `is_opened`. */
export function canSee(post: PostForViewer, viewer: Viewer | null): boolean {
  return post.is_opened === 1 || post.author_id === viewer?.userId;
}

/** Whether somebody without an account may know of a post that it is there, and for the members of a community. */
export function isKnownToBeForMembers({ community_id, hidden_by, away_since }: PostStanding): boolean {
  return community_id !== null && hidden_by === 0 && away_since === null;
}
type PostStanding = { community_id: string | null; hidden_by: number; away_since: number | null };

/** Expression: whether the person is in the community. @param community such as `p.community_id`. */
export function isMember(community: SQL, userId: SQL): SQL {
  return sql`exists (
    select 1 from memberships v where v.community_id = ${community} and v.user_id = ${userId})`;
}

type PostAlias = 'p' | 'q';

/**
 * Condition: the post may be listed for the person, be it somebody else's.
 * @param post the alias of its row in posts.
 * @param userId of the person: a value, or a column such as `n.recipient_id`. Nobody's id for a visitor.
 */
export function isShownTo(post: PostAlias, userId: SQL): SQL {
  const community = sql.raw(`${post}.community_id`);
  return sql`(${isThere(post)} and (${community} is null or ${isMember(community, userId)})
    and ${isNotHiddenFrom(post, userId)})`;
}

/** Condition: the post is neither closed nor does it rest. What lists are read by has such posts alone. */
export function isThere(post: PostAlias | 'w'): SQL {
  return sql.raw(`${post}.away_since is null`);
}

/**
 * Condition: nobody hides the post, or the person sees what is hidden, in a place that they may look into; and neither
 * its author nor they have blocked the other.
 */
export function isNotHiddenFrom(post: PostAlias, userId: SQL): SQL {
  return sql`((${sql.raw(post)}.hidden_by = 0 or ${sql.raw(post)}.author_id = ${userId} or ${isPlatformAdmin(userId)}
    or exists (select 1 from memberships h
      where h.community_id = ${sql.raw(post)}.community_id and h.user_id = ${userId} and h.role = 'admin'))
    and ${areNotApart(sql.raw(`${post}.author_id`), userId)})`;
}

/** Condition: the person may open somebody else's post: what is listed for them, and for a platform admin all that is hidden. */
export function isOpenedBy(post: PostAlias, userId: SQL): SQL {
  return sql`(${isShownTo(post, userId)} or (${isThere(post)} and ${sql.raw(post)}.hidden_by <> 0
    and ${isPlatformAdmin(userId)} and ${areNotApart(sql.raw(`${post}.author_id`), userId)}))`;
}

/** Condition: a list may have to pass over posts for the person; while it need not, nobody asks how far it looked. */
export function mayMiss(userId: SQL): SQL {
  return sql`(exists (select 1 from posts where hidden_by <> 0) or exists (
    select 1 from blocks where blocker_id = ${userId} or blocked_id = ${userId}))`;
}

/** Condition: neither person has blocked the other. */
export function areNotApart(one: SQL, other: SQL): SQL {
  const hasBlocked = (blocker: SQL, blocked: SQL) =>
    sql`exists (select 1 from blocks b where b.blocker_id = ${blocker} and b.blocked_id = ${blocked})`;
  return sql`not ${hasBlocked(one, other)} and not ${hasBlocked(other, one)}`;
}

/** Condition: the post is there, still looked for, and nobody hides it: only then it is matched, and told of. @param post an alias. */
export function isOpen(post: PostAlias | 'o' | 'u' | 'y'): SQL {
  return sql.raw(`(${post}.is_found = 0 and ${post}.hidden_by = 0 and ${post}.away_since is null)`);
}

function isPlatformAdmin(userId: SQL): SQL {
  return sql`exists (select 1 from users a where a.id = ${userId} and a.is_platform_admin = 1)`;
}

/** The viewer's id for a statement; a visitor's is nobody's. */
export function idOf(viewer: Viewer | null): SQL {
  return sql`${viewer?.userId ?? ''}`;
}
