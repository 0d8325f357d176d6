import { type SQL, sql } from 'drizzle-orm';
import { batch, type Db } from '#worker/db/client.ts';
import { queryFirst } from '#worker/db/statements.ts';
import { readKind } from '#worker/matching/reading/read-kind.ts';

import { readingVersion, readPost } from '#worker/matching/reading/read-post.ts';

import { FROM_POSTS, STORED_COLUMNS, type StoredPost, storedPostRow } from '#worker/posts/post-columns.ts';
import { renewKind } from '#worker/posts/search-texts.ts';
import { keepReading, TRIES_MAX } from './find-candidates.ts';

/** Limits the cost of one run of the scheduled sweep. Analysing this many posts takes some tens of milliseconds. */
const POSTS_PER_SWEEP = 50;

/**
 * Analyses posts again after the lexicon or the rules have changed. Also analyses posts without a current reading, such
 * as posts that are listed again after they were hidden. Counts each try before it begins, because analysing a post
 * could use up the Worker's CPU time and end the sweep. Skips a post after TRIES_MAX tries.
 */
export async function renewReadings(db: Db): Promise<void> {
  for (let count = 0; count < POSTS_PER_SWEEP; count++) {
    const post = await claimOutdated(db);
    if (!post) return;
    await renewReading(db, post);
  }
}

/**
 * Analyses the post if it is listed but has no current reading, such as a returned post that is listed again after it
 * was hidden.
 */
export async function readUnread(db: Db, postId: string): Promise<void> {
  const post = await queryFirst(db, storedPostRow)`
    select ${STORED_COLUMNS} ${FROM_POSTS} join search_meanings m on m.post_seq = p.seq
    where p.id = ${postId} and m.version <> ${readingVersion()}`;
  if (post) await renewReading(db, post);
}

/** Stores the post's reading, so that matching and searches find the post, and resets the count of tries. */
async function renewReading(db: Db, post: StoredPost): Promise<void> {
  const reading = readPost(post);
  await batch(db.repeatable, {
    reading: keepReading(db, post, reading),
    updatePosts: db.run(sql`update posts set match_failures = 0 where seq = ${post.seq} and match_failures > 0`),
  });
  await renewKind(db, post, readKind(reading));
}

/**
 * Reserves the listed post with the oldest outdated reading, and counts the try before it begins. Omits posts that wait
 * to be matched, because matching analyses them.
 */
async function claimOutdated(db: Db): Promise<StoredPost | undefined> {
  // Reads two ranges of the index, below and above the current version, to skip the many posts with this version.
  const outdated = (isOther: SQL) => sql`
    select * from (
      select m.version, m.post_seq from search_meanings m join posts o on o.seq = m.post_seq
      where m.version ${isOther} ${readingVersion()} and o.match_failures < ${TRIES_MAX} and o.match_pending_since is null
      order by m.version, m.post_seq limit 1)`;
  const oldest = sql`(
    select post_seq from (${outdated(sql`<`)} union all ${outdated(sql`>`)}) order by version, post_seq limit 1)`;
  const { post } = await batch(db, {
    post: queryFirst(db, storedPostRow)`select ${STORED_COLUMNS} ${FROM_POSTS} where p.seq = ${oldest}`,
    updatePosts: db.run(sql`update posts set match_failures = match_failures + 1 where seq = ${oldest}`),
  });
  return post;
}
