import { eq, type SQL, sql } from 'drizzle-orm';
import {
  type CodeJob,
  type CommunityDecisionJob,
  type HeartbeatJob,
  NUMBER_CODE_KINDS,
  type QueueJob,
  type WhatsappJob,
  type WordAnswerJob,
} from '#contract/jobs.ts';
import type { Db } from '#worker/db/client.ts';
import { nextTry, queryRows, rowOf } from '#worker/db/statements.ts';
import { whatsappOutbox } from '#worker/db/tables/notices.ts';
import type { Env } from '#worker/env.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { errorName, log } from '#worker/errors/log.ts';

const RETRY_SECONDS = 5;

/**
 * Queues a message with a verification or reset code. Await this call before the response: a code that is not on the
 * queue is never sent.
 * @throws AppError unavailable.
 */
export async function queueCode(env: Env, job: CodeJob): Promise<void> {
  try {
    await queueWhatsapp(env, job);
  } catch (error) {
    log.error('code_not_queued', { name: errorName(error) });
    throw new AppError('unavailable', { retryAfterSeconds: RETRY_SECONDS });
  }
}

const MESSAGES_PER_SWEEP = 100;

/**
 * Queues a stored message. If queueing fails, the clean-up job (sweep) tries again. A message that is queued twice is
 * sent once, because the consumer reserves the message by its id.
 */
export async function queueKept(env: Env, db: Db, job: WhatsappJob): Promise<void> {
  try {
    await queueWhatsapp(env, job);
    await forgetMessage(db, messageIdOf(job));
  } catch (error) {
    log.warn('message_not_queued', { kind: job.kind, name: errorName(error) });
  }
}

/**
 * Queues stored messages that are not on the queue because of a crash or an unreachable queue. The clean-up job (sweep)
 * calls this function.
 */
export async function finishQueueing(env: Env, db: Db, now: number): Promise<void> {
  for (const job of await claimKeptMessages(db, now)) await queueKept(env, db, job);
}

/**
 * Queues a message. Await this call: afterwards the queue is responsible for sending the message, for retrying, and for
 * moving it to the dead letters.
 */
async function queueWhatsapp({ WHATSAPP_QUEUE }: Pick<Env, 'WHATSAPP_QUEUE'>, job: WhatsappJob): Promise<void> {
  await WHATSAPP_QUEUE.send(job, { contentType: 'json' });
}

/** A message younger than this is probably still being queued by the request that stored it. */
const GRACE_MS = 10_000;

/**
 * Statement: if the condition holds, stores the message until the queue has accepted it. Put the statement into the
 * batch that writes the change that the message reports, so that the database contains both or none.
 */
export function keepMessage(db: Db, job: CommunityDecisionJob | WordAnswerJob, condition: SQL, now: number) {
  return db.run(sql`
    insert into whatsapp_outbox (message_id, recipient_id, job, created_at, due_at)
    select ${job.messageId}, ${job.recipientId}, ${JSON.stringify(job)}, ${now}, ${now + GRACE_MS} where ${condition}`);
}

/**
 * Reserves the messages that have waited longest. Schedules their next try before this try begins, so that a message is
 * retried even if the Worker dies.
 */
async function claimKeptMessages(db: Db, now: number): Promise<WhatsappJob[]> {
  const rows = await queryRows(db, rowOf(whatsappOutbox, 'job'))`
    update whatsapp_outbox set failures = failures + 1, due_at = ${nextTry(now, 'failures')}
    where message_id in (
      select message_id from whatsapp_outbox where due_at <= ${now} order by due_at limit ${MESSAGES_PER_SWEEP})
    returning job`;
  return rows.map(({ job }) => JSON.parse(job) as WhatsappJob);
}

/** Deletes a stored message, because the queue has accepted it. */
async function forgetMessage(db: Db, messageId: string): Promise<void> {
  await db.repeatable.delete(whatsappOutbox).where(eq(whatsappOutbox.messageId, messageId));
}

const CODE_KINDS: readonly string[] = ['reset_code', ...NUMBER_CODE_KINDS];

/** One delivery of a job by its queue. The queue may deliver a job several times. */
export type Delivery = { job: WhatsappJob; attempt: number; queuedAt: number };

/** Returns the id of the message of a job. All deliveries of the job by the queue have the same id. */
export function messageIdOf(job: WhatsappJob): string {
  return isCodeJob(job) ? job.requestId : job.messageId;
}

export function isCodeJob(job: WhatsappJob): job is CodeJob {
  return isCode(job.kind);
}

/** Whether messages of this kind contain a verification or reset code. */
export function isCode(kind: string): boolean {
  return CODE_KINDS.includes(kind);
}

/** Whether messages of this kind contain a verification code, which proves a phone number, and not a reset code. */
export function isNumberCode(kind: string): boolean {
  return NUMBER_CODE_KINDS.some((known) => known === kind);
}

export function isHeartbeat(job: QueueJob): job is HeartbeatJob {
  return job.kind === 'heartbeat';
}
