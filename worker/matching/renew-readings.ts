import type { Db } from '#worker/db/client.ts';
import { renewKind } from '#worker/posts/index.ts';
import { readKind } from './reading/read-kind.ts';
import { readPost } from './reading/read-post.ts';
import { claimOutdated, storeReading } from './store.ts';

/** Some tens of milliseconds of reading, and as many batches: what one sweep may cost. */
const POSTS_PER_SWEEP = 50;

/**
 * After a change of the lists or rules, reads open posts again: nobody has to give a command, and nobody waits. Each try is
 * counted before it is made, so that a post that ends the sweep does not do so indefinitely.
 */
export async function renewReadings(db: Db): Promise<void> {
  for (let count = 0; count < POSTS_PER_SWEEP; count++) {
    const post = await claimOutdated(db);
    if (!post) return;
    const reading = readPost(post);
    await storeReading(db, post.seq, reading);
    await renewKind(db, post, readKind(reading));
  }
}
