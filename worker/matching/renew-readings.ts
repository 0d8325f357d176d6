import type { Db } from '#worker/db/client.ts';
import type { Env } from '#worker/env.ts';
import { readPost } from './reading/read-post.ts';
import { listOutdated, storeReading } from './store.ts';

/** Some tens of milliseconds of reading, and as many batches: what one sweep may cost. */
const POSTS_PER_SWEEP = 50;

/** After a change of the lists or rules, reads open posts again: nobody has to give a command, and nobody waits. */
export async function renewReadings(_env: Env, db: Db): Promise<void> {
  for (const post of await listOutdated(db, POSTS_PER_SWEEP)) await storeReading(db, post.seq, readPost(post));
}
