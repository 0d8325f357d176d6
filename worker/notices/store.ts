import { sql } from 'drizzle-orm';
import type { Db } from '#worker/db/client.ts';
import type { NoticeRow } from './notice-rules.ts';

/** The notices that no mailbox has yet and that are still true: both posts open, the pair not dismissed. */
export async function readWaiting(db: Db, ids: string[]): Promise<NoticeRow[]> {
  return db.all<NoticeRow>(sql`
    select n.id, n.recipient_id, n.type, n.body, n.post_id, n.your_post_id, p.title, p.location,
      p.owner_first_name, p.owner_last_name, p.phone_number, p.created_at as post_created_at, m.score, m.reasons
    from json_each(${JSON.stringify(ids)}) j cross join notices n on n.id = j.value
    left join match_pairs m on m.id = n.id
    left join posts p on p.id = n.post_id
    left join posts y on y.id = n.your_post_id
    where n.handed_over_at is null
      and (n.type <> 'matching_post' or (p.is_found = 0 and y.is_found = 0 and m.dismissed_at is null))
    order by n.created_at, n.id`);
}

/** The notices that should have been handed over by `before`, oldest first. */
export async function listWaiting(db: Db, before: number, limit: number): Promise<string[]> {
  const rows = await db.all<{ id: string }>(sql`
    select id from notices where handed_over_at is null and created_at < ${before} order by created_at limit ${limit}`);
  return rows.map((row) => row.id);
}

export async function markHandedOver(db: Db, ids: string[], now: number): Promise<void> {
  if (ids.length === 0) return;
  await db.run(sql`
    update notices set handed_over_at = ${now} where id in (select value from json_each(${JSON.stringify(ids)}))`);
}

/** Forgets notices that became untrue before anyone was told. Their pairs stay, so that they never come again. */
export async function deleteNotices(db: Db, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  await db.run(sql`
    delete from notices where handed_over_at is null and id in (select value from json_each(${JSON.stringify(ids)}))`);
}
