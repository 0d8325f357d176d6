import { sql } from 'drizzle-orm';
import type { FeedbackInput } from '#contract/feedback.ts';
import { type Db, publishAs } from '#worker/db/client.ts';
import { deleteSome } from '#worker/db/delete-some.ts';
import { KEPT_MS } from '#worker/db/lifetimes.ts';
import { feedback } from '#worker/db/schema.ts';
import { newId } from '#worker/identity/ids.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { type Turns, takeTurnIfLeft } from '#worker/limits/turns.ts';

/**
 * Counts the message and stores it if its address is within the limit.
 * @returns until when it has to wait otherwise.
 */
export async function insertFeedback(
  db: Db,
  viewer: Viewer | null,
  { feedback: { email, message }, turns, now }: { feedback: FeedbackInput; turns: Turns; now: number },
) {
  const statements = [
    ...takeTurnIfLeft(db, turns, now),
    db.run(sql`
      insert into feedback (id, email, message, created_at) select ${newId()}, ${email}, ${message}, ${now}
      where changes() > 0`),
  ] as const;
  const [[wait]] = viewer ? await publishAs(db, viewer, statements) : await db.batch(statements);
  return wait;
}

/** Statements: delete old feedback. */
export function clearExpired(db: Db, now: number) {
  return [deleteSome(db, feedback, sql`created_at < ${now - KEPT_MS.feedback}`)];
}
