import { eq } from 'drizzle-orm';
import type { Db } from '#worker/db/client.ts';
import { heartbeats } from '#worker/db/schema.ts';

const QUEUE = 'queue';

/** Records when the queue last delivered a heartbeat. */
export async function recordHeartbeat(db: Db, now: number): Promise<void> {
  await db.update(heartbeats).set({ beatAt: now }).where(eq(heartbeats.name, QUEUE));
}

/** @returns when the queue last delivered a heartbeat; a migration sets the first. */
export async function readHeartbeat(db: Db): Promise<number> {
  const [row] = await db.select({ beatAt: heartbeats.beatAt }).from(heartbeats).where(eq(heartbeats.name, QUEUE));
  return row?.beatAt ?? 0;
}
