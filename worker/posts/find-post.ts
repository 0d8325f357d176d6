import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { hasCode } from '#worker/conditions/communities.ts';
import { idOf } from '#worker/conditions/people.ts';
import { canSee, isOpenedBy } from '#worker/conditions/posts.ts';
import { type Db, readAs } from '#worker/db/client.ts';
import { flag, queryFirst, type RowOf } from '#worker/db/statements.ts';
import { AppError } from '#worker/errors/app-error.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { type NumberReader, readWithNumbers } from './give-numbers.ts';
import { FROM_POSTS, POST_COLUMNS } from './post-columns.ts';
import { type PostRowForViewer, postRowForViewer } from './present-post.ts';

/** Statement: selects a post, and whether the viewer may open it. */
export function selectPost(db: Db, viewer: Viewer | null, postId: string) {
  return queryFirst(db, postRowForViewer)`
    select ${POST_COLUMNS}, ${isOpenedBy('p', idOf(viewer))} as is_opened
    ${FROM_POSTS} where p.id = ${postId}`;
}

/** Statement: selects the community with this `community_code` or access code. */
export function selectCommunity(db: Db, viewer: Viewer | null, code: string | null) {
  return queryFirst(db, communityForViewerRow)`
    select c.id, c.approval_status, m.user_id is not null as is_member, coalesce(m.role = 'admin', 0) as is_admin,
      c.suspended_at is not null as is_suspended
    from communities c left join memberships m on m.community_id = c.id and m.user_id = ${idOf(viewer)}
    where ${hasCode(code ?? '')}`;
}

export async function findPost(db: Db, viewer: Viewer | null, postId: string) {
  const { post } = await readAs(db, viewer, { post: selectPost(db, viewer, postId) });
  return post;
}

/**
 * Reads one post that the viewer opens. In contrast to `findPost`, it also returns whether the viewer may see the
 * post's phone number.
 */
export async function openPost(reader: NumberReader, postId: string) {
  const posts = sql`select seq, 0 as place from posts where id = ${postId}`;
  const { results, numbers } = await readWithNumbers(
    reader,
    { posts, isOpening: true },
    { row: selectPost(reader.db, reader.viewer, postId) },
  );
  return { row: results.row, numbers };
}

/**
 * Refuses a post that is missing or that the viewer may not see. The error is the same for both.
 * @throws AppError post_not_found.
 */
export function assertVisible<Row extends PostRowForViewer>(row: Row | undefined, viewer: Viewer | null): Row {
  if (!row || !canSee(row, viewer)) throw new AppError('post_not_found');
  return row;
}

/**
 * Requires that the viewer is the post's author.
 * @throws AppError post_not_found, or forbidden if the viewer may see the post but is not its author.
 */
export function assertAuthor<Row extends PostRowForViewer>(row: Row | undefined, viewer: Viewer): Row {
  const visible = assertVisible(row, viewer);
  if (visible.author_id !== viewer.userId) throw new AppError('forbidden');
  return visible;
}

const communityForViewerRow = () =>
  z.object({ id: z.string(), approval_status: flag(), is_member: flag(), is_admin: flag(), is_suspended: flag() });
export type CommunityForViewer = RowOf<typeof communityForViewerRow>;

/**
 * Returns the id of the community that a post goes to, or null for the public.
 * @throws AppError not_a_member, both for an unknown community code and for a community that the author is not in, so
 * that nobody can find out which codes exist; community_not_approved; community_suspended.
 */
export function chooseCommunity(code: string | null, community: CommunityForViewer | undefined): string | null {
  if (code === null) return null;
  if (community?.is_member !== 1) throw new AppError('not_a_member');
  if (community.approval_status !== 1) throw new AppError('community_not_approved');
  assertNotSuspended(community);
  return community.id;
}

/** Refuses members of a suspended community who are not its admins. @throws AppError community_suspended. */
export function assertNotSuspended({ is_suspended, is_admin }: CommunityForViewer): void {
  if (is_suspended === 1 && is_admin === 0) throw new AppError('community_suspended');
}
