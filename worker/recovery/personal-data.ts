import { eq } from 'drizzle-orm';
import type { PersonalData } from '#worker/db/personal-data.ts';
import { resetCodes } from '#worker/db/schema.ts';

/** Codes are not exported, not even to their owner. */
export const recoveryData: PersonalData = {
  tables: { reset_codes: 'user_id' },
  exportFor: async () => ({}),
  eraseFor: (db, userId) => [db.delete(resetCodes).where(eq(resetCodes.userId, userId))],
};
