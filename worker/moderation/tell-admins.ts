import { sql } from 'drizzle-orm';
import { HOUR_MS } from '#contract/durations.ts';
import { REPORT_OVERDUE_HOURS } from '#contract/limits.ts';
import type { Db } from '#worker/db/client.ts';
import { idRow, idsOf, queryRows } from '#worker/db/rows.ts';
import type { Env } from '#worker/env.ts';
import { newId } from '#worker/identity/ids.ts';
import { isActingAdmin } from '#worker/identity/platform-admin.ts';
import { deliverNotices } from '#worker/notices/index.ts';

const OVERDUE_MS = REPORT_OVERDUE_HOURS * HOUR_MS;

/**
 * Notifies the platform's admins of new and overdue cases, with one notice per admin for all of them. An admin with an
 * unread notice gets another one only for overdue cases.
 */
export async function tellAdmins(env: Env, db: Db, now: number): Promise<void> {
  const due = sql`moderation_cases w where w.status = 'open' and w.tell_due_at <= ${now}`;
  const [anything] = await queryRows(db, idRow)`select w.id from ${due} limit 1`;
  if (!anything) return;
  const admins = await queryRows(db, idRow)`select a.id from users a where ${isActingAdmin('a')}`;
  const notices = JSON.stringify(admins.map((admin) => ({ id: newId(), adminId: admin.id })));
  const [told] = await db.batch([
    // What is due is read again in the transaction, so that of two concurrent jobs only one notifies.
    queryRows(db, idRow)`
      insert into notices (id, recipient_id, type, body, created_at)
      select a.value ->> 'id', a.value ->> 'adminId', 'reports_waiting',
        json_object('type', 'reports_waiting', 'id', a.value ->> 'id',
          'waiting', (select count(*) from moderation_cases where status = 'open'),
          'is_overdue', json(iif(d.is_overdue, 'true', 'false')), 'created_at', ${new Date(now).toISOString()}), ${now}
      from (select max(w.times_told) > 0 as is_overdue from ${due}) d cross join json_each(${notices}) a
      where d.is_overdue is not null and (d.is_overdue or not exists (
        select 1 from notices n
        where n.recipient_id = a.value ->> 'adminId' and n.type = 'reports_waiting' and n.read_at is null))
      returning id`,
    db.run(sql`
      update moderation_cases set tell_due_at = ${now + OVERDUE_MS}, times_told = times_told + 1
      where status = 'open' and tell_due_at <= ${now}`),
  ]);
  await deliverNotices(env, db, idsOf(told));
}
