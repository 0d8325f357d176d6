import { type SQL, sql } from 'drizzle-orm';
import { parseCode } from '#worker/communities/codes.ts';
import { IDEMPOTENCY_KEY_LIFETIME_HOURS } from '#worker/contract/limits.ts';
import type { PostInput } from '#worker/contract/posts.ts';
import { type Db, readAs } from '#worker/db/client.ts';
import { newId } from '#worker/http/ids.ts';
import { peekCount, RATE_LIMITS } from '#worker/http/rate-limits.ts';
import type { Viewer } from '#worker/http/viewer.ts';
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

/** What must be known before a post is written, in one round trip. */
export async function readForInsert(
  db: Db,
  viewer: Viewer,
  request: { communityCode: string | null; idempotencyKey: string | null; rateSubject: string; now: number },
) {
  const [[community], [counted], [repeat]] = await readAs(db, viewer, [
    selectCommunity(db, viewer, request.communityCode),
    peekCount(db, request.rateSubject, request.now),
    db.all<{ found: 1 }>(sql`
      select 1 as found from idempotency_keys k where k.user_id = ${viewer.userId}
        and k.key = ${request.idempotencyKey} and k.created_at >= ${oldestKey(request.now)}`),
  ]);
  return { community, counted, isRepeat: repeat !== undefined };
}

function oldestKey(now: number): number {
  return now - IDEMPOTENCY_KEY_LIFETIME_HOURS * 60 * 60 * 1000;
}

export type NewPost = {
  input: PostInput;
  communityId: string | null;
  idempotencyKey: string | null;
  rateSubject: string;
  areRateLimitsOn: boolean;
  now: number;
};

/**
 * Writes the post, once a key: of two requests with one key the first makes the post and both get it.
 * @returns the post and whether this request made it; no post when the limit was reached meanwhile or when the
 * key's post has been deleted.
 */
export async function insertPost(db: Db, viewer: Viewer, post: NewPost) {
  const id = newId();
  const key = post.idempotencyKey;
  const keyPost = sql`(select k.post_id from idempotency_keys k where k.user_id = ${viewer.userId} and k.key = ${key})`;
  const isFirst = key === null ? sql`true` : sql`${keyPost} = ${id}`;
  const hasRoom = post.areRateLimitsOn
    ? sql`coalesce((select r.count from rate_counters r where r.subject = ${post.rateSubject}
        and r.window_ends_at > ${post.now}), 0) < ${RATE_LIMITS.post.max}`
    : sql`true`;
  const [, , , , [row]] = await db.batch([
    db.run(key === null ? sql`select 1` : claimKey(viewer, key, id, post.now)),
    db.run(insertWhere(viewer, post, id, sql`${isFirst} and ${hasRoom}`)),
    db.run(countWhere(post, sql`exists (select 1 from posts where id = ${id})`)),
    db.run(sql`
      delete from idempotency_keys where user_id = ${viewer.userId} and key = ${key} and post_id = ${id}
        and not exists (select 1 from posts where id = ${id})`),
    db.all<PostRowForViewer>(sql`
      select ${POST_COLUMNS}, 1 as is_member ${FROM_POSTS} where p.id = ${key === null ? id : keyPost}`),
  ]);
  return { row, isNew: row?.id === id };
}

function claimKey(viewer: Viewer, key: string, postId: string, now: number): SQL {
  return sql`
    insert into idempotency_keys (user_id, key, post_id, created_at)
    values (${viewer.userId}, ${key}, ${postId}, ${now})
    on conflict (user_id, key) do update set post_id = excluded.post_id, created_at = excluded.created_at
    where idempotency_keys.created_at < ${oldestKey(now)}`;
}

function insertWhere(viewer: Viewer, { input, communityId, now }: NewPost, id: string, condition: SQL): SQL {
  return sql`
    insert into posts (id, author_id, community_id, title, owner_first_name, owner_last_name, location,
      phone_number, description, posted_by, search_text, created_at, match_pending_since)
    select ${id}, ${viewer.userId}, ${communityId}, ${input.title}, ${input.owner_first_name},
      ${input.owner_last_name}, ${input.location}, ${input.phone_number}, ${input.description},
      ${input.posted_by}, ${searchTextOf(input)}, ${now}, ${now}
    where ${condition}`;
}

function countWhere({ rateSubject, now }: NewPost, condition: SQL): SQL {
  const windowEndsAt = now + RATE_LIMITS.post.windowSeconds * 1000;
  return sql`
    insert into rate_counters (subject, count, window_ends_at)
    select ${rateSubject}, 1, ${windowEndsAt} where ${condition}
    on conflict (subject) do update set
      count = case when window_ends_at <= ${now} then 1 else count + 1 end,
      window_ends_at = case when window_ends_at <= ${now} then ${windowEndsAt} else window_ends_at end`;
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

/** Marks the post found, and takes it out of what new posts are matched with. */
export async function markPostFound(db: Db, viewer: Viewer, postId: string) {
  const [, , [row]] = await db.batch([
    db.run(sql`delete from match_terms where post_seq = (select seq from posts where id = ${postId})`),
    db.run(sql`
      update posts set is_found = 1, match_pending_since = null where id = ${postId} and author_id = ${viewer.userId}`),
    selectPost(db, viewer, postId),
  ]);
  return row;
}

/** Deletes the post with everything that hangs on it. */
export async function deletePost(db: Db, postId: string): Promise<void> {
  await db.batch([
    db.run(sql`delete from match_terms where post_seq = (select seq from posts where id = ${postId})`),
    db.run(sql`delete from notices where post_id = ${postId} or your_post_id = ${postId}`),
    db.run(sql`delete from match_pairs where lost_post_id = ${postId} or found_post_id = ${postId}`),
    db.run(sql`delete from posts where id = ${postId}`),
  ]);
}
