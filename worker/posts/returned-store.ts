import * as z from 'zod/mini';
import type { Db } from '#worker/db/client.ts';
import { queryRows } from '#worker/db/rows.ts';

const tallyRow = () => z.object({ count: z.number() });

/** How many things have been returned according to their posts' authors, including posts that were deleted since. */
export async function countReturned(db: Db): Promise<number> {
  const [tally] = await queryRows(db, tallyRow)`select count from tallies where name = 'returned'`;
  return tally?.count ?? 0;
}
