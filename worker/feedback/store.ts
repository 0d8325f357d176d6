import { sql } from 'drizzle-orm';
import type { FeedbackInput } from '#worker/contract/feedback.ts';
import type { Db } from '#worker/db/client.ts';
import { newId } from '#worker/http/ids.ts';
import { countOne, RATE_LIMITS } from '#worker/http/rate-limits.ts';

/** Counts the message and stores it while its address is within the limit. @returns the count. */
export async function insertFeedback(db: Db, { email, message }: FeedbackInput, subject: string, now: number) {
  const [[counted]] = await db.batch([
    countOne(db, 'feedback_address', subject, now),
    db.run(sql`
      insert into feedback (id, email, message, created_at) select ${newId()}, ${email}, ${message}, ${now}
      where (select count from rate_counters where subject = ${subject}) <= ${RATE_LIMITS.feedback_address.max}`),
  ]);
  return counted;
}
