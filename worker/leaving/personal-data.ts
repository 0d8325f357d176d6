import { eq } from 'drizzle-orm';
import type { PersonalData } from '#worker/db/personal-data.ts';
import { erasures } from '#worker/db/schema.ts';

/** The record that an account is to be erased outlives the account and is deleted last. */
export const leavingData: PersonalData = {
  tables: { erasures: 'user_id' },
  exportFor: async () => ({}),
  eraseFor: (db, userId) => [db.delete(erasures).where(eq(erasures.userId, userId))],
};
