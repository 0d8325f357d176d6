import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { CommunityDecisionJob, WhatsappJob, WordAnswerJob } from '#contract/whatsapp.ts';
import type { Db } from '#worker/db/client.ts';
import { nextTry } from '#worker/db/next-try.ts';
import { queryRows } from '#worker/db/rows.ts';

const keptRow = () => z.object({ job: z.string() });

/** A more recent message is probably being queued by the request that stored it. */
const GRACE_MS = 10_000;

/**
 * Statement: stores the message until the queue has accepted it, if the condition holds. It belongs in the batch that
 * writes what the message is about, so that there is never one without the other.
 */
export function keepMessage(db: Db, job: CommunityDecisionJob | WordAnswerJob, condition: SQL, now: number) {
  return db.run(sql`
    insert into whatsapp_outbox (message_id, recipient_id, job, created_at, due_at)
    select ${job.messageId}, ${job.recipientId}, ${JSON.stringify(job)}, ${now}, ${now + GRACE_MS} where ${condition}`);
}

/** Claims the messages that have waited longest, and schedules their next try before this one is made. */
export async function claimKeptMessages(db: Db, now: number, limit: number): Promise<WhatsappJob[]> {
  const rows = await queryRows(db, keptRow)`
    update whatsapp_outbox set failures = failures + 1, due_at = ${nextTry(now, 'failures')}
    where message_id in (select message_id from whatsapp_outbox where due_at <= ${now} order by due_at limit ${limit})
    returning job`;
  return rows.map(({ job }) => JSON.parse(job) as WhatsappJob);
}

/** The queue has accepted the message. */
export async function forgetMessage(db: Db, messageId: string): Promise<void> {
  await db.repeatable.run(sql`delete from whatsapp_outbox where message_id = ${messageId}`);
}
