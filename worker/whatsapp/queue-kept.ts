import type { WhatsappJob } from '#contract/whatsapp.ts';
import type { Db } from '#worker/db/client.ts';
import type { Env } from '#worker/env.ts';
import { errorName } from '#worker/errors/error-name.ts';
import { log } from '#worker/errors/log.ts';
import { messageIdOf } from './job.ts';
import { claimKeptMessages, forgetMessage } from './outbox-store.ts';
import { queueWhatsapp } from './queue.ts';

const MESSAGES_PER_SWEEP = 100;

/**
 * Queues a stored message. If that fails, the sweep tries again. A message that is queued twice is sent once, because the
 * consumer takes it by its id.
 */
export async function queueKept(env: Env, db: Db, job: WhatsappJob): Promise<void> {
  try {
    await queueWhatsapp(env, job);
    await forgetMessage(db, messageIdOf(job));
  } catch (error) {
    log.warn('message_not_queued', { kind: job.kind, name: errorName(error) });
  }
}

/** For the sweep: queues messages that a crash or an unreachable queue has left behind. */
export async function finishQueueing(env: Env, db: Db, now: number): Promise<void> {
  for (const job of await claimKeptMessages(db, now, MESSAGES_PER_SWEEP)) await queueKept(env, db, job);
}
