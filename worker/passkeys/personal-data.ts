import { eq } from 'drizzle-orm';
import type { PersonalData } from '#worker/db/personal-data.ts';
import { passkeyChallenges, passkeys, stepUps } from '#worker/db/schema.ts';

/** Keys are not exported; `GET /api/me/passkeys` lists them. */
export const passkeyData: PersonalData = {
  tables: { passkeys: 'user_id', passkey_challenges: 'user_id', step_ups: 'user_id' },
  exportFor: async () => ({}),
  eraseFor: (db, userId) => [
    db.delete(stepUps).where(eq(stepUps.userId, userId)),
    db.delete(passkeyChallenges).where(eq(passkeyChallenges.userId, userId)),
    db.delete(passkeys).where(eq(passkeys.userId, userId)),
  ],
};
