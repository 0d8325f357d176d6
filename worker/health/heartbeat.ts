import { eq } from 'drizzle-orm';
import type { Db } from '#worker/db/client.ts';
import { heartbeats } from '#worker/db/tables/operating.ts';
import type { Env } from '#worker/env.ts';

/** Queues a message; `GET /api/health` checks that such messages arrive. */
export async function sendHeartbeat({ WHATSAPP_QUEUE }: Pick<Env, 'WHATSAPP_QUEUE'>): Promise<void> {
  await WHATSAPP_QUEUE.send({ kind: 'heartbeat' }, { contentType: 'json' });
}

const QUEUE = 'queue';

/** Records when the queue last delivered a heartbeat. */
export async function recordHeartbeat(db: Db, now: number): Promise<void> {
  await db.update(heartbeats).set({ beatAt: now }).where(eq(heartbeats.name, QUEUE));
}

/** @returns when the queue last delivered a heartbeat. The initial value comes from a migration. */
export async function readHeartbeat(db: Db): Promise<number> {
  const [row] = await db.select({ beatAt: heartbeats.beatAt }).from(heartbeats).where(eq(heartbeats.name, QUEUE));
  return row?.beatAt ?? 0;
}
