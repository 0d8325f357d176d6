import { type SQL, sql } from 'drizzle-orm';
import type { Viewer } from '#worker/identity/viewer.ts';

// Who may see a post stands here alone, once for a row that was read and once for the statements that read it:
// a public post is for everyone, a community's for its members, and one's own for oneself.

export type PostForViewer = { author_id: string; community_id: string | null; is_member: 0 | 1 };

/** Whether the viewer may see a post that was read with `isMember`. */
export function canSee(post: PostForViewer, viewer: Viewer | null): boolean {
  return post.community_id === null || post.is_member === 1 || post.author_id === viewer?.userId;
}

/** Expression: whether the person is in the community. @param community such as `p.community_id`. */
export function isMember(community: SQL, userId: SQL): SQL {
  return sql`exists (
    select 1 from memberships v where v.community_id = ${community} and v.user_id = ${userId})`;
}

/**
 * Condition: somebody else's post may be shown to the person.
 * @param post the alias of its row in posts.
 * @param userId of the person: a value, or a column such as `n.recipient_id`. Nobody's id for a visitor.
 */
export function isShownTo(post: 'p' | 'q', userId: SQL): SQL {
  const community = sql.raw(`${post}.community_id`);
  return sql`(${community} is null or ${isMember(community, userId)})`;
}

/** The viewer's id for a statement; a visitor's is nobody's. */
export function idOf(viewer: Viewer | null): SQL {
  return sql`${viewer?.userId ?? ''}`;
}
