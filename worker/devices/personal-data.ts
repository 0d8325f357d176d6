import { and, eq, isNull } from 'drizzle-orm';
import type { PersonalData } from '#worker/db/personal-data.ts';
import { devices } from '#worker/db/schema.ts';

export const deviceData: PersonalData = {
  tables: { devices: 'user_id' },
  async exportFor(db, userId) {
    const rows = await db
      .select({ name: devices.name, created_at: devices.createdAt, last_seen_at: devices.lastSeenAt })
      .from(devices)
      .where(and(eq(devices.userId, userId), isNull(devices.endedAt)))
      .orderBy(devices.createdAt);
    return { devices: rows };
  },
  eraseFor: (db, userId) => [db.delete(devices).where(eq(devices.userId, userId))],
};
