import { eq } from 'drizzle-orm';
import type { PersonalData } from '#worker/db/personal-data.ts';
import { noticeSettings } from '#worker/db/schema.ts';
import { selectSettings, toSettings } from './settings-store.ts';

export const reachData: PersonalData = {
  tables: { notice_settings: 'user_id' },
  async exportFor(db, userId) {
    const [row] = await selectSettings(db, userId);
    return { settings: toSettings(row) };
  },
  eraseFor: (db, userId) => [db.delete(noticeSettings).where(eq(noticeSettings.userId, userId))],
};
