import { eq } from 'drizzle-orm';
import type { PersonalData } from '#worker/db/personal-data.ts';
import { emailLinks, emailMessages } from '#worker/db/schema.ts';

export const emailData: PersonalData = {
  tables: { email_links: 'user_id', email_messages: 'recipient_id' },
  async exportFor(db, userId) {
    const emails = await db
      .select({ kind: emailMessages.kind, status: emailMessages.status, created_at: emailMessages.createdAt })
      .from(emailMessages)
      .where(eq(emailMessages.recipientId, userId));
    const waiting = await db
      .select({ email: emailLinks.email, created_at: emailLinks.createdAt })
      .from(emailLinks)
      .where(eq(emailLinks.userId, userId));
    return { emails, emails_to_confirm: waiting };
  },
  eraseFor: (db, userId) => [
    db.delete(emailLinks).where(eq(emailLinks.userId, userId)),
    db.delete(emailMessages).where(eq(emailMessages.recipientId, userId)),
  ],
};
