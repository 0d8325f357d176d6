import { sql } from 'drizzle-orm';
import type { Channel } from '#contract/notice-jobs.ts';
import type { Acknowledged } from '#durable/mailbox.ts';
import type { Db, Handle } from '#worker/db/client.ts';

const TOLD_AT = {
  push: sql.raw('pushed_at'),
  whatsapp: sql.raw('whatsapp_at'),
  email: sql.raw('emailed_at'),
} satisfies Record<Channel, unknown>;

/** Statement: records that the channel has sent these notices. Idempotent, so that nothing is counted twice. */
export function recordTold(db: Handle, channel: Channel, noticeIds: string[], now: number) {
  return db.run(sql`
    update notices set ${TOLD_AT[channel]} = ${now}
    where id in (select value from json_each(${JSON.stringify(noticeIds)})) and ${TOLD_AT[channel]} is null`);
}

/** Records that clients have shown these notices. Idempotent. */
export async function recordAcknowledged(db: Db, acknowledged: Acknowledged): Promise<void> {
  await db.repeatable.run(sql`
    update notices set acknowledged_at = j.value from json_each(${JSON.stringify(acknowledged)}) j
    where notices.id = j.key and acknowledged_at is null`);
}
