import { sql } from 'drizzle-orm';
import type { PersonalData } from '#worker/db/personal-data.ts';

/** People get the list of those they have blocked, and never learn who has blocked them. */
export const blockData: PersonalData = {
  tables: { blocks: 'blocker_id' },
  async exportFor(db, userId) {
    const blocks = await db.all(sql`
      select id, name, created_at from blocks where blocker_id = ${userId} order by created_at`);
    return { blocks };
  },
  eraseFor: (db, userId) => [db.run(sql`delete from blocks where blocker_id = ${userId} or blocked_id = ${userId}`)],
};
