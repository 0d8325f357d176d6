import { sql } from 'drizzle-orm';
import type { Db } from '#worker/db/client.ts';
import type { DeliveryReport } from './delivery-rules.ts';

/** Records the reports. One that is not more advanced than what is stored changes nothing. */
export async function recordReports(db: Db, reports: DeliveryReport[], now: number): Promise<void> {
  if (reports.length === 0) return;
  await db.repeatable.run(sql`
    insert into whatsapp_deliveries (wamid, status, rank, error_code, reported_at)
    select value ->> 'wamid', value ->> 'status', value ->> 'rank', value ->> 'errorCode', ${now}
    from json_each(${JSON.stringify(reports)}) where true
    on conflict (wamid) do update set status = excluded.status, rank = excluded.rank,
      error_code = excluded.error_code, reported_at = excluded.reported_at
    where excluded.rank > whatsapp_deliveries.rank`);
}
