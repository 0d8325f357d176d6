import { finishClosingSockets } from '#worker/accounts/sign-out.ts';
import { finishDueDeclines } from '#worker/claims/close-claims.ts';
import { closeCommunities } from '#worker/communities/close-community.ts';
import { errorName } from '#worker/errors/log.ts';
import { listErased } from '#worker/exports/erased.ts';
import { deleteOldExports, writeExport } from '#worker/exports/write-export.ts';
import { sendHeartbeat } from '#worker/health/heartbeat.ts';
import { newId } from '#worker/identity/digests.ts';
import { finishErasing } from '#worker/leaving/erase-account.ts';
import { refreshShares } from '#worker/matching/find-candidates.ts';
import { finishMatching } from '#worker/matching/match-post.ts';
import { renewReadings } from '#worker/matching/renew-readings.ts';
import { notifyAdmins } from '#worker/moderation/cases.ts';
import { finishDelivering } from '#worker/notices/deliver-notices.ts';
import { deleteLeftovers } from '#worker/photos/objects.ts';
import { askAuthors, restUnansweredPosts } from '#worker/posts/ask-and-rest.ts';
import { renewTexts } from '#worker/posts/search-texts.ts';
import { finishQueueing } from '#worker/whatsapp/queue-message.ts';
import { type Db, openDb } from './db/client.ts';
import type { Env } from './env.ts';
import { log, workFor } from './errors/log.ts';
import { clearExpired } from './retention.ts';

/**
 * The order matters: a step may finish work that an earlier step has left unfinished. Steps that read users' texts come
 * last. If a text uses up the Worker's CPU time, all other steps have already run.
 */
const STEPS: { name: string; run: (env: Env, db: Db, now: number) => Promise<void> }[] = [
  { name: 'finish_due_declines', run: finishDueDeclines },
  { name: 'tell_admins', run: notifyAdmins },
  { name: 'rest_posts', run: restUnansweredPosts },
  { name: 'ask_authors', run: askAuthors },
  { name: 'close_communities', run: closeCommunities },
  { name: 'finish_delivering', run: finishDelivering },
  { name: 'finish_queueing', run: finishQueueing },
  { name: 'finish_closing_sockets', run: finishClosingSockets },
  { name: 'finish_erasing', run: finishErasing },
  { name: 'delete_photo_leftovers', run: deleteLeftovers },
  { name: 'send_heartbeat', run: sendHeartbeat },
  { name: 'refresh_shares', run: (_env, db, now) => refreshShares(db, now) },
  { name: 'list_erased', run: listErased },
  { name: 'write_export', run: (env, db, now) => writeExport(env, db, now) },
  { name: 'delete_old_exports', run: deleteOldExports },
  { name: 'clear_expired', run: (_env, db, now) => clearExpired(db, now) },
  { name: 'finish_matching', run: finishMatching },
  { name: 'renew_readings', run: (_env, db) => renewReadings(db) },
  { name: 'renew_texts', run: (_env, db) => renewTexts(db) },
];

/** Runs every minute: finishes what a crash, an overload or a deploy interrupted, and deletes what has expired. */
export function sweep(env: Env, now = Date.now()): Promise<void> {
  return workFor({ job_id: newId() }, () => runSteps(env, now));
}

async function runSteps(env: Env, now: number): Promise<void> {
  const db = openDb(env);
  for (const step of STEPS) {
    try {
      await step.run(env, db, now);
    } catch (error) {
      // If a step fails, the other steps still run. The next run, a minute later, retries the failed step.
      log.error('sweep_failed', { step: step.name, name: errorName(error) });
    }
  }
}
