import { eq } from 'drizzle-orm';
import type { PersonalData } from '#worker/db/personal-data.ts';
import { passkeyChallenges, passkeys, stepUps } from '#worker/db/schema.ts';

/** Keys are nobody's to read; that there are some, `GET /api/me/passkeys` says. */
export const passkeyData: PersonalData = {
  tables: { passkeys: 'user_id', passkey_challenges: 'user_id', step_ups: 'user_id' },
  exportFor: async () => ({}),
  eraseFor: (db, userId) => [
    db.delete(stepUps).where(eq(stepUps.userId, userId)),
    db.delete(passkeyChallenges).where(eq(passkeyChallenges.userId, userId)),
    db.delete(passkeys).where(eq(passkeys.userId, userId)),
  ],
};
