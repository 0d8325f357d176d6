import { sql } from 'drizzle-orm';
import { FOUND_UNDO_SECONDS } from '#contract/limits.ts';
import type { PostInput } from '#contract/posts.ts';
import { parseCode } from '#worker/communities/index.ts';
import { type Db, readAs } from '#worker/db/client.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { type Allowance, countIf, hasRoom, readCount } from '#worker/limits/allowance.ts';
import { rememberUnread, reviseUnreadNotices, tellAgain, withdrawNotices } from '#worker/notices/index.ts';
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

export type PostUpdate = {
  id: string;
  input: PostInput;
  communityId: string | null;
  allowance: Allowance;
  now: number;
};

/**
 * Writes the new text, if the day's limit allows; an open post waits to be matched again.
 * @returns the post as it is now, whether it was written, and what is counted now.
 */
export async function updatePost(db: Db, viewer: Viewer, update: PostUpdate) {
  const { id, input, communityId, allowance, now } = update;
  const [written, , [row], [counted]] = await db.batch([
    db.all<{ id: string }>(sql`
      update posts set community_id = ${communityId}, title = ${input.title},
        owner_first_name = ${input.owner_first_name}, owner_last_name = ${input.owner_last_name},
        location = ${input.location}, phone_number = ${input.phone_number}, description = ${input.description},
        posted_by = ${input.posted_by}, search_text = ${searchTextOf(input)},
        changed_at = iif(${isMatchedAlike(input, communityId)}, changed_at, ${now}),
        match_pending_since = case when is_found then null else ${now} end
      where id = ${id} and author_id = ${viewer.userId}
        and ${hasRoom(allowance, now)}
      returning id`),
    countIf(db, allowance, sql`changes() > 0`, now),
    selectPost(db, viewer, id),
    readCount(db, allowance, now),
  ]);
  return { row, isWritten: written.length > 0, counted };
}

/** Condition: nothing changes that a post is matched by. */
function isMatchedAlike(input: PostInput, communityId: string | null) {
  return sql`(community_id, title, owner_first_name, owner_last_name, location, description, posted_by) is (
    ${communityId}, ${input.title}, ${input.owner_first_name}, ${input.owner_last_name}, ${input.location},
    ${input.description}, ${input.posted_by})`;
}

/**
 * Marks the post found, and takes it out of what new posts are matched with. Marked once more it stays marked as of
 * the first time.
 * @returns the post, and the ids of the notices that are to be taken back.
 */
export async function markPostFound(db: Db, viewer: Viewer, postId: string, now: number) {
  const [, , , notices, [row]] = await db.batch([
    db.run(sql`delete from match_terms where post_seq = (select seq from posts where id = ${postId})`),
    db.run(sql`
      update posts set is_found = 1, found_at = iif(is_found, found_at, ${now}), match_pending_since = null
      where id = ${postId} and author_id = ${viewer.userId}`),
    rememberUnread(db, postId),
    reviseUnreadNotices(db, postId),
    selectPost(db, viewer, postId),
  ]);
  return { row, noticeIds: notices.map((notice) => notice.id) };
}

/**
 * Opens the post again if it was marked as found a short while ago: it waits to be matched, and who had not read of it
 * is told again.
 * @returns the post, which is still found when it is too late.
 */
export async function undoFound(db: Db, viewer: Viewer, postId: string, now: number) {
  const [, , , , [row]] = await db.batch([
    db.run(sql`
      update posts set is_found = 0, found_at = null, match_pending_since = ${now}
      where id = ${postId} and author_id = ${viewer.userId} and is_found = 1
        and found_at >= ${now - FOUND_UNDO_SECONDS * 1000}`),
    ...tellAgain(db, postId, now),
    selectPost(db, viewer, postId),
  ]);
  return row;
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
