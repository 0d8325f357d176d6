import { sql } from 'drizzle-orm';
import type { PersonalData } from '#worker/db/personal-data.ts';

/** Others' notices about the person's posts have been retracted from their mailboxes before (`takeBackNotices`). */
export const noticeData: PersonalData = {
  tables: { notices: 'recipient_id' },
  async exportFor(db, userId) {
    const notices = await db.all(sql`
      select n.type, n.your_post_id, n.body, n.created_at, n.acknowledged_at, n.pushed_at, n.whatsapp_at,
        n.emailed_at, n.read_at, n.dismissed_at from notices n
      where n.recipient_id = ${userId} order by n.created_at`);
    return { notices };
  },
  eraseFor: (db, userId) => [
    db.run(sql`delete from notices where recipient_id = ${userId}`),
    db.run(sql`delete from notices where post_id in (select id from posts where author_id = ${userId})`),
  ],
};
