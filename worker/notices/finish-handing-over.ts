import type { Db } from '#worker/db/client.ts';
import type { Env } from '#worker/env.ts';
import { handOverNotices } from './hand-over.ts';
import { listWaiting } from './store.ts';

/** A notice younger than this is probably being handed over by the request that made it. */
const GRACE_MS = 10_000;
const NOTICES_PER_SWEEP = 500;

/** Hands over the notices that were written but never reached a mailbox. */
export async function finishHandingOver(env: Env, db: Db, now: number): Promise<void> {
  await handOverNotices(env, db, await listWaiting(db, now - GRACE_MS, NOTICES_PER_SWEEP));
}
