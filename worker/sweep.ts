import { finishMatching } from '#worker/matching/finish-matching.ts';
import { finishHandingOver } from '#worker/notices/finish-handing-over.ts';
import { finishClosingSockets } from '#worker/recovery/close-sockets.ts';
import { clearExpired } from './db/clear-expired.ts';
import { openDb } from './db/client.ts';
import type { Env } from './env.ts';

/** What the cron does every minute: finish what a crash, an overload or a deploy cut off, and clear what has expired. */
export async function sweep(env: Env): Promise<void> {
  const db = openDb(env);
  const now = Date.now();
  await finishMatching(env, db, now);
  await finishHandingOver(env, db, now);
  await finishClosingSockets(env, db, now);
  await clearExpired(db, now);
}
