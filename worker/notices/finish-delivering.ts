import type { Db } from '#worker/db/client.ts';
import type { Env } from '#worker/env.ts';
import { deliverNotices } from './deliver-notices.ts';
import { claimOverdueNotices } from './store.ts';

/** A notice younger than this is probably being delivered by the request that made it. */
const GRACE_MS = 10_000;
const NOTICES_AT_ONCE = 100;
const ROUNDS_MAX = 10;

/** For the sweep: delivers or retracts notices that were stored but have not reached their mailbox. */
export async function finishDelivering(env: Env, db: Db, now: number): Promise<void> {
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const ids = await claimOverdueNotices(db, { before: now - GRACE_MS, now, limit: NOTICES_AT_ONCE });
    await deliverNotices(env, db, ids);
    if (ids.length < NOTICES_AT_ONCE) return;
  }
}
