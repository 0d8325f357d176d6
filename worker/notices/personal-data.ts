import { eq, sql } from 'drizzle-orm';
import type { PersonalData } from '#worker/db/personal-data.ts';
import { notices } from '#worker/db/schema.ts';

/** Others' notices about the person's posts have been retracted from their mailboxes before (`retractNotices`). */
export const noticeData: PersonalData = {
  tables: { notices: 'recipient_id' },
  async exportFor(db, userId) {
    const rows = await db
      .select({
        type: notices.type,
        your_post_id: notices.yourPostId,
        body: notices.body,
        created_at: notices.createdAt,
        acknowledged_at: notices.acknowledgedAt,
        pushed_at: notices.pushedAt,
        whatsapp_at: notices.whatsappAt,
        emailed_at: notices.emailedAt,
        read_at: notices.readAt,
        dismissed_at: notices.dismissedAt,
      })
      .from(notices)
      .where(eq(notices.recipientId, userId))
      .orderBy(notices.createdAt);
    return { notices: rows };
  },
  eraseFor: (db, userId) => [
    db.delete(notices).where(eq(notices.recipientId, userId)),
    db.run(sql`delete from notices where post_id in (select id from posts where author_id = ${userId})`),
  ],
};
