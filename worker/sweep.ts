import { askAuthors, restPosts } from './ask-authors.ts';
import { finishDueDeclines } from './claims/index.ts';
import { clearExpired } from './clear-expired.ts';
import { closeCommunities } from './close-communities.ts';
import { type Db, openDb } from './db/client.ts';
import { finishClosingSockets } from './devices/index.ts';
import type { Env } from './env.ts';
import { errorName } from './errors/error-name.ts';
import { log, workFor } from './errors/log.ts';
import { deleteOldExports, listErased, writeExport } from './exports/index.ts';
import { sendHeartbeat } from './health/index.ts';
import { newId } from './identity/ids.ts';
import { finishErasing } from './leaving/index.ts';
import { finishMatching, refreshShares, renewReadings } from './matching/index.ts';
import { tellAdmins } from './moderation/index.ts';
import { finishDelivering } from './notices/index.ts';
import { PERSONAL_DATA } from './personal-data.ts';
import { deleteLeftovers } from './photos/index.ts';
import { renewTexts } from './posts/index.ts';
import { finishQueueing } from './whatsapp/index.ts';

/**
 * The order matters: a step may leave work that a later one finishes in the same sweep. Those that read what people write
 * come last: a text that takes the Worker's whole processor time costs no other step its turn.
 */
const STEPS: { name: string; run: (env: Env, db: Db, now: number) => Promise<void> }[] = [
  { name: 'finish_due_declines', run: finishDueDeclines },
  { name: 'tell_admins', run: tellAdmins },
  { name: 'rest_posts', run: restPosts },
  { name: 'ask_authors', run: askAuthors },
  { name: 'close_communities', run: closeCommunities },
  { name: 'finish_delivering', run: finishDelivering },
  { name: 'finish_queueing', run: finishQueueing },
  { name: 'finish_closing_sockets', run: finishClosingSockets },
  { name: 'finish_erasing', run: (env, db, now) => finishErasing(env, db, PERSONAL_DATA, now) },
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
      // A failing step must not stop the others; the next sweep tries it again.
      log.error('sweep_failed', { step: step.name, name: errorName(error) });
    }
  }
}
