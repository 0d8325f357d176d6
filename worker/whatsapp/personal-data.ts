import { eq, sql } from 'drizzle-orm';
import type { PersonalData } from '#worker/db/personal-data.ts';
import { whatsappMessages, whatsappOutbox, whatsappWords } from '#worker/db/schema.ts';

export const whatsappData: PersonalData = {
  tables: {
    whatsapp_messages: 'recipient_id',
    whatsapp_outbox: 'recipient_id',
    whatsapp_recipients: 'number',
    whatsapp_words: 'user_id',
  },
  async exportFor(db, userId) {
    const messages = await db
      .select({
        kind: whatsappMessages.kind,
        language: whatsappMessages.language,
        status: whatsappMessages.status,
        created_at: whatsappMessages.createdAt,
      })
      .from(whatsappMessages)
      .where(eq(whatsappMessages.recipientId, userId));
    const waiting = await db
      .select({ message: whatsappOutbox.job, created_at: whatsappOutbox.createdAt })
      .from(whatsappOutbox)
      .where(eq(whatsappOutbox.recipientId, userId));
    const words = await db
      .select({ is_on: whatsappWords.isOn, sent_at: whatsappWords.sentAt })
      .from(whatsappWords)
      .where(eq(whatsappWords.userId, userId));
    return { whatsapp_messages: messages, whatsapp_messages_waiting: waiting, whatsapp_stop_or_start: words };
  },
  eraseFor: (db, userId) => [
    db.run(sql`
      delete from whatsapp_recipients where number = (select number from phone_numbers where user_id = ${userId})`),
    db.run(sql`
      delete from whatsapp_deliveries where wamid in (
        select wamid from whatsapp_messages where recipient_id = ${userId})`),
    db.run(sql`
      delete from whatsapp_dead_letters where id in (select id from whatsapp_messages where recipient_id = ${userId})`),
    db.delete(whatsappWords).where(eq(whatsappWords.userId, userId)),
    db.delete(whatsappOutbox).where(eq(whatsappOutbox.recipientId, userId)),
    db.delete(whatsappMessages).where(eq(whatsappMessages.recipientId, userId)),
  ],
};
