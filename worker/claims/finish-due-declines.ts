import { sql } from 'drizzle-orm';
import type { Db } from '#worker/db/client.ts';
import { idRow, idsOf, queryRows } from '#worker/db/rows.ts';
import type { Env } from '#worker/env.ts';
import { deliverNotices } from '#worker/notices/index.ts';
import { finishDeclines, isDue } from './news-store.ts';

const CLAIMS_AT_ONCE = 100;
const ROUNDS_MAX = 10;

/** For the sweep: declines that can no longer be undone take effect. */
export async function finishDueDeclines(env: Env, db: Db, now: number): Promise<void> {
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const due = await queryRows(db, idRow)`
      select k.id from claims k where ${isDue(now)} order by k.decline_due_at limit ${CLAIMS_AT_ONCE}`;
    if (due.length === 0) return;
    const ids = JSON.stringify(idsOf(due));
    const which = sql`k.id in (select value from json_each(${ids})) and ${isDue(now)}`;
    const [told] = await db.repeatable.batch([...finishDeclines(db, which, now)]);
    await deliverNotices(env, db, idsOf(told));
    if (due.length < CLAIMS_AT_ONCE) return;
  }
}
