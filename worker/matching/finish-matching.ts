import type { Db } from '#worker/db/client.ts';
import type { Env } from '#worker/env.ts';
import { log } from '#worker/errors/log.ts';
import { matchPost } from './match-post.ts';
import { claimOverduePost, giveUp } from './store.ts';

/** A post younger than this is probably being matched by the request that saved it. */
export const MATCH_GRACE_MS = 10_000;
const POSTS_PER_SWEEP = 100;

/**
 * Matches the posts that were saved but, because their Worker died, never matched. One at a time: a post that
 * fails, or even kills the Worker, has been put off before it was tried, and the next sweep starts with the others. After
 * TRIES_MAX tries, in two hours, it is given up.
 */
export async function finishMatching(env: Env, db: Db, now: number): Promise<void> {
  for (const postId of await giveUp(db, now - MATCH_GRACE_MS)) log.error('matching_given_up', { post_id: postId });
  for (let count = 0; count < POSTS_PER_SWEEP; count++) {
    const postId = await claimOverduePost(db, now - MATCH_GRACE_MS, now);
    if (postId === null) return;
    await matchPost(env, db, postId);
  }
}
