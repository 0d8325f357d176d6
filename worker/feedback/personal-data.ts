import { eq, type SQL, sql } from 'drizzle-orm';
import type { PersonalData } from '#worker/db/personal-data.ts';
import { feedback } from '#worker/db/schema.ts';

/**
 * Feedback needs no account. It belongs to the account that has proven the same e-mail address, if there is one: anybody
 * can sign up with somebody else's.
 */
export const feedbackData: PersonalData = {
  tables: { feedback: 'email' },
  async exportFor(db, userId) {
    const { message, createdAt, seq } = feedback;
    const own = db.select({ message, created_at: createdAt }).from(feedback).where(isOwn(userId));
    return { feedback: await own.orderBy(seq) };
  },
  eraseFor: (db, userId) => [db.delete(feedback).where(isOwn(userId))],
};

/** Condition: the feedback was left under the address that the person has proven. */
function isOwn(userId: string): SQL {
  return eq(
    sql`lower(${feedback.email})`,
    sql`(select u.email_key from users u where u.id = ${userId} and u.email_proven_at is not null)`,
  );
}
