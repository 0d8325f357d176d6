import type { Db } from '#worker/db/client.ts';
import type { Env } from '#worker/env.ts';
import { matchPost } from './match-post.ts';
import { listPending } from './store.ts';

/** A post younger than this is probably being matched by the request that saved it. */
const GRACE_MS = 10_000;
const POSTS_PER_SWEEP = 50;

/** Matches the posts that were saved but, because their Worker died, never matched. One that fails does not stop the rest. */
export async function finishMatching(env: Env, db: Db, now: number): Promise<void> {
  for (const postId of await listPending(db, now - GRACE_MS, POSTS_PER_SWEEP)) {
    try {
      await matchPost(env, db, postId);
    } catch (error) {
      console.error({ event: 'matching_failed', postId, name: error instanceof Error ? error.name : '' });
    }
  }
}
