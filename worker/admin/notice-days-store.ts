import * as z from 'zod/mini';
import { type AdminNoticeDay, adminNoticeDaySchema } from '#contract/admin.ts';
import type { Db } from '#worker/db/client.ts';
import { readAsPlatformAdmin } from '#worker/db/platform-admin.ts';
import { queryRows } from '#worker/db/rows.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { dayOf, nameDay } from '#worker/limits/day.ts';

const noticeDayRow = () => z.object({ ...adminNoticeDaySchema.shape, day: z.number() });

/** Statistics on the notices of the last days, today first, the most frequent type first. */
export async function readNoticeDays(db: Db, viewer: Viewer, days: number, now: number): Promise<AdminNoticeDay[]> {
  const [rows] = await readAsPlatformAdmin(db, viewer, [
    queryRows(db, noticeDayRow)`
      select day, type, stored, acknowledged, pushed, whatsapp, emailed, opened, dismissed from notice_days
      where day > ${dayOf(now) - days} order by day desc, stored desc, type`,
  ]);
  return rows.map(({ day, ...row }) => ({ day: nameDay(day), ...row }));
}
