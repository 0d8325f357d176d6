import { sql } from 'drizzle-orm';
import { MESSAGE_LIFETIME_MS } from '#durable/mailbox.ts';
import type { Db } from '#worker/db/client.ts';
import { idRow, idsOf, queryRows } from '#worker/db/rows.ts';
import type { Env } from '#worker/env.ts';
import { deliverNotices } from './deliver-notices.ts';

const NOTICES_AT_ONCE = 100;

/**
 * Removes others' notices about a person's posts, which nobody can see any more, from their mailboxes and lists.
 * @throws Error when a mailbox cannot be reached. The rest is removed when this is run again.
 */
export async function retractNotices(env: Env, db: Db, userId: string): Promise<void> {
  const some = sql`
    select n.id from posts p cross join notices n on n.post_id = p.id
    where p.author_id = ${userId} order by n.id limit ${NOTICES_AT_ONCE}`;
  for (;;) {
    const rows = await queryRows(db, idRow)`
      update notices set delivered_at = null, delivery_due_at = 0 where id in (${some}) returning id`;
    if (rows.length === 0) return;
    const ids = idsOf(rows);
    await deliverNotices(env, db, ids);
    const among = sql`id in (select value from json_each(${JSON.stringify(ids)}))`;
    // Dismissed notices are not deleted by the delivery.
    const [, left] = await db.batch([
      db.run(sql`delete from notices where ${among} and delivered_at is not null`),
      queryRows(db, idRow)`select id from notices where ${among} limit 1`,
    ]);
    if (left.length > 0) throw new Error('A mailbox cannot be reached');
  }
}

/**
 * Others' notices about claims on a person's posts stay, as the claims do, but are delivered again without the erased data.
 * @throws Error when a mailbox cannot be reached. The rest is delivered when this is run again.
 */
export async function renewClaimNews(env: Env, db: Db, userId: string): Promise<void> {
  const since = Date.now() - MESSAGE_LIFETIME_MS;
  for (let last = ''; ; ) {
    const some = sql`
      select n.id from claims k cross join notices n on n.claim_id = k.id
      where k.finder_id = ${userId} and n.recipient_id <> ${userId} and n.created_at > ${since} and n.id > ${last}
      order by n.id limit ${NOTICES_AT_ONCE}`;
    const rows = await queryRows(db, idRow)`
      update notices set delivered_at = null, delivery_due_at = 0 where id in (${some}) returning id`;
    if (rows.length === 0) return;
    const ids = idsOf(rows).sort();
    await deliverNotices(env, db, ids);
    const left = await queryRows(db, idRow)`
      select id from notices where id in (select value from json_each(${JSON.stringify(ids)})) and delivered_at is null limit 1`;
    if (left.length > 0) throw new Error('A mailbox cannot be reached');
    last = ids.at(-1) ?? '';
  }
}
