import { sql } from 'drizzle-orm';
import type { FeedbackInput } from '#contract/feedback.ts';
import type { Db } from '#worker/db/client.ts';
import { newId } from '#worker/identity/ids.ts';
import { countOne } from '#worker/limits/rate-limits.ts';

/**
 * Counts the message and stores it while its address is within the limit.
 * @param max how many of its address are stored a window.
 * @returns the count.
 */
export async function insertFeedback(
  db: Db,
  { email, message }: FeedbackInput,
  { subject, max, now }: { subject: string; max: number; now: number },
) {
  const [[counted]] = await db.batch([
    countOne(db, 'feedback_address', subject, now),
    db.run(sql`
      insert into feedback (id, email, message, created_at) select ${newId()}, ${email}, ${message}, ${now}
      where (select count from rate_counters where subject = ${subject}) <= ${max}`),
  ]);
  return counted;
}
