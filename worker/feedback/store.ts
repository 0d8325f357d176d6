import { sql } from 'drizzle-orm';
import type { FeedbackInput } from '#contract/feedback.ts';
import type { Db } from '#worker/db/client.ts';
import { newId } from '#worker/identity/ids.ts';
import { type Allowance, countOne, isWithin } from '#worker/limits/allowance.ts';

/**
 * Counts the message and stores it while its address is within the limit.
 * @returns the count.
 */
export async function insertFeedback(db: Db, { email, message }: FeedbackInput, allowance: Allowance, now: number) {
  const [[counted]] = await db.batch([
    countOne(db, allowance, now),
    db.run(sql`
      insert into feedback (id, email, message, created_at) select ${newId()}, ${email}, ${message}, ${now}
      where ${isWithin(allowance, now)}`),
  ]);
  return counted;
}
