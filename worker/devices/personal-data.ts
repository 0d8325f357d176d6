import { sql } from 'drizzle-orm';
import type { PersonalData } from '#worker/db/personal-data.ts';

export const deviceData: PersonalData = {
  tables: { devices: 'user_id' },
  async exportFor(db, userId) {
    const devices = await db.all(sql`
      select name, created_at, last_seen_at from devices
      where user_id = ${userId} and ended_at is null order by created_at`);
    return { devices };
  },
  eraseFor: (db, userId) => [db.run(sql`delete from devices where user_id = ${userId}`)],
};
