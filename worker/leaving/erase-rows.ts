import type { Db } from '#worker/db/client.ts';
import type { PersonalData } from '#worker/db/personal-data.ts';

/** Erases a person from the database, in steps that can each be repeated. */
export async function eraseRows(db: Db, data: readonly PersonalData[], userId: string): Promise<void> {
  for (const { eraseSome } of data) while ((await eraseSome?.(db, userId)) ?? 0);
  for (const { eraseFor } of data) {
    const [first, ...rest] = eraseFor(db, userId);
    if (first) await db.repeatable.batch([first, ...rest]);
  }
}
