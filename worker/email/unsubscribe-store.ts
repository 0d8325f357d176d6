import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Db } from '#worker/db/client.ts';
import { queryRows } from '#worker/db/rows.ts';
import { switchChannel } from '#worker/reach/index.ts';

const addressRow = () => z.object({ email: z.string() });

/** The person's current address, which the value must have been made for. */
export async function findAddress(db: Db, userId: string): Promise<string | null> {
  const [row] = await queryRows(db, addressRow)`select email from users where id = ${userId}`;
  return row?.email ?? null;
}

export async function switchEmailOff(db: Db, userId: string): Promise<void> {
  await switchChannel(db, sql`${userId}`, 'email', false);
}
