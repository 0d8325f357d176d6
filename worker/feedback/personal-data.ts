import { sql } from 'drizzle-orm';
import type { PersonalData } from '#worker/db/personal-data.ts';

/** Feedback needs no account. It belongs to the account with the same e-mail address, if there is one. */
export const feedbackData: PersonalData = {
  tables: { feedback: 'email' },
  async exportFor(db, userId) {
    const feedback = await db.all(sql`
      select f.message, f.created_at from feedback f cross join users u on u.email_key = lower(f.email)
      where u.id = ${userId} order by f.seq`);
    return { feedback };
  },
  eraseFor: (db, userId) => [
    db.run(sql`delete from feedback where lower(email) = (select email_key from users where id = ${userId})`),
  ],
};
