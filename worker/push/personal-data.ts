import { eq, sql } from 'drizzle-orm';
import type { PersonalData } from '#worker/db/personal-data.ts';
import { pushSubscriptions } from '#worker/db/schema.ts';

/** The export has only a subscription's push service and date; its endpoint and keys are secret. */
export const pushData: PersonalData = {
  tables: { push_subscriptions: 'user_id' },
  async exportFor(db, userId) {
    const rows = await db
      .select({ endpoint: pushSubscriptions.endpoint, put_at: pushSubscriptions.putAt })
      .from(pushSubscriptions)
      .where(eq(pushSubscriptions.userId, userId));
    return { push: rows.map(({ endpoint, put_at }) => ({ service: new URL(endpoint).hostname, put_at })) };
  },
  eraseFor: (db, userId) => [
    db.run(sql`
      delete from push_dead_letters where notice_id in (select id from notices where recipient_id = ${userId})`),
    db.delete(pushSubscriptions).where(eq(pushSubscriptions.userId, userId)),
  ],
};
