import { type Db, writeAs } from '#worker/db/client.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { assertTaken, type Evidence, endFormerHold, insertNumber, readTaking } from './take-number.ts';

/** Replaces the viewer's number. @throws what `assertTaken` throws. */
export async function changeNumber(db: Db, viewer: Viewer, evidence: Evidence, now: number): Promise<void> {
  const taking = { evidence, userId: viewer.userId, now };
  const [, , , , [row]] = await writeAs(db, viewer, [
    ...endFormerHold(db, taking),
    insertNumber(db, taking),
    readTaking(db, taking),
  ]);
  assertTaken(row, taking);
}
