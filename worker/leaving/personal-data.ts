import { sql } from 'drizzle-orm';
import type { PersonalData } from '#worker/db/personal-data.ts';

/** The record that an account is to be erased outlives the account and is deleted last. */
export const leavingData: PersonalData = {
  tables: { erasures: 'user_id' },
  exportFor: async () => ({}),
  eraseFor: (db, userId) => [db.run(sql`delete from erasures where user_id = ${userId}`)],
};
