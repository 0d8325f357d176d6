import { sql } from 'drizzle-orm';
import type { PostInput } from '#contract/posts.ts';
import { parseCode } from '#worker/communities/index.ts';
import { type Db, readAs } from '#worker/db/client.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { reviseUnreadNotices, withdrawNotices } from '#worker/notices/index.ts';
import { type CommunityForViewer, type PostRowForViewer, searchTextOf } from './post-rules.ts';

export const POST_COLUMNS = sql.raw(`
  p.seq, p.id, p.author_id, p.community_id, p.title, p.owner_first_name, p.owner_last_name, p.location,
  p.phone_number, p.description, p.posted_by, p.is_found, p.created_at,
  c.community_code, c.name as community_name`);
export const FROM_POSTS = sql.raw('from posts p left join communities c on c.id = p.community_id');

/** Statement: one post and whether the viewer is in its community. */
function selectPost(db: Db, viewer: Viewer | null, postId: string) {
  return db.all<PostRowForViewer>(sql`
    select ${POST_COLUMNS}, exists (
      select 1 from memberships m where m.community_id = p.community_id and m.user_id = ${viewer?.userId ?? ''}
    ) as is_member
    ${FROM_POSTS} where p.id = ${postId}`);
}

/** Statement: the community that a public or an access code names. */
export function selectCommunity(db: Db, viewer: Viewer | null, code: string | null) {
  const parsed = parseCode(code ?? '');
  return db.all<CommunityForViewer>(sql`
    select c.id, c.approval_status, exists (
      select 1 from memberships m where m.community_id = c.id and m.user_id = ${viewer?.userId ?? ''}
    ) as is_member
    from communities c where c.community_code = ${parsed} or c.access_code = ${parsed}`);
}

export async function findPost(db: Db, viewer: Viewer | null, postId: string) {
  const [[row]] = await readAs(db, viewer, [selectPost(db, viewer, postId)]);
  return row;
}

/** The post and the community it shall move to, in one round trip. */
export async function readForUpdate(db: Db, viewer: Viewer, postId: string, communityCode: string | null) {
  const [[row], [community]] = await readAs(db, viewer, [
    selectPost(db, viewer, postId),
    selectCommunity(db, viewer, communityCode),
  ]);
  return { row, community };
}

/** Writes the new text; an open post waits to be matched again. */
export async function updatePost(
  db: Db,
  viewer: Viewer,
  post: { id: string; input: PostInput; communityId: string | null; now: number },
) {
  const { id, input, now } = post;
  const [, [row]] = await db.batch([
    db.run(sql`
      update posts set community_id = ${post.communityId}, title = ${input.title},
        owner_first_name = ${input.owner_first_name}, owner_last_name = ${input.owner_last_name},
        location = ${input.location}, phone_number = ${input.phone_number}, description = ${input.description},
        posted_by = ${input.posted_by}, search_text = ${searchTextOf(input)},
        match_pending_since = case when is_found then null else ${now} end
      where id = ${id} and author_id = ${viewer.userId}`),
    selectPost(db, viewer, id),
  ]);
  return row;
}

/**
 * Marks the post found, and takes it out of what new posts are matched with.
 * @returns the post, and the ids of the notices that are to be taken back.
 */
export async function markPostFound(db: Db, viewer: Viewer, postId: string) {
  const [, , notices, [row]] = await db.batch([
    db.run(sql`delete from match_terms where post_seq = (select seq from posts where id = ${postId})`),
    db.run(sql`
      update posts set is_found = 1, match_pending_since = null where id = ${postId} and author_id = ${viewer.userId}`),
    reviseUnreadNotices(db, postId),
    selectPost(db, viewer, postId),
  ]);
  return { row, noticeIds: notices.map((notice) => notice.id) };
}

/**
 * Deletes the post with everything that hangs on it, but for its notices: they go once the mailboxes have taken them back.
 * @returns the ids of those notices.
 */
export async function deletePost(db: Db, postId: string): Promise<string[]> {
  const [, notices] = await db.batch([
    db.run(sql`delete from match_terms where post_seq = (select seq from posts where id = ${postId})`),
    withdrawNotices(db, postId),
    db.run(sql`delete from match_pairs where lost_post_id = ${postId} or found_post_id = ${postId}`),
    db.run(sql`delete from posts where id = ${postId}`),
  ]);
  return notices.map((notice) => notice.id);
}
