import { type SQL, sql } from 'drizzle-orm';
import { type Db, type Handle, writeAs } from '#worker/db/client.ts';
import { idsOf, queryRows } from '#worker/db/rows.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { areNotApart, arePaused } from '#worker/posts/index.ts';
import { finishDeclines, isDue } from './news-store.ts';
import { claimRow } from './present-claim.ts';

/** Statement: whole claims `k`. @param rest the conditions, the order and the limit. */
export function selectClaims(db: Handle, rest: SQL) {
  return queryRows(db, claimRow)`
    select k.id, k.post_id, k.post_title, k.post_kind, k.finder_id, k.claimant_id, f.username as finder_name,
      c.username as claimant_name, k.question, k.private_marks, k.answer, k.state, k.accepted_at, k.handed_over_at,
      k.phone_number as claimant_number, p.phone_number as finder_number, k.code_locked_until,
      not (${areNotApart(sql`k.finder_id`, sql`k.claimant_id`)}) as are_apart,
      coalesce(${arePaused('p')}, 0) as is_post_hidden,
      (select json_group_array(json_object('step', s.step, 'by', s."by", 'text', s.text,
        'is_about_money', s.is_about_money, 'finder_at', s.finder_at, 'claimant_at', s.claimant_at))
        from (select * from claim_steps where claim_id = k.id order by seq) s) as steps,
      k.created_at, k.finder_updated_at, k.claimant_updated_at
    from claims k left join users f on f.id = k.finder_id left join users c on c.id = k.claimant_id
    left join posts p on p.id = k.post_id ${rest}`;
}

/** @returns the claim, and the ids of notices to deliver, as a due decline takes effect. */
export async function findClaim(db: Db, viewer: Viewer, claimId: string, now: number) {
  const [told, , , [row]] = await writeAs(db.repeatable, viewer, [
    ...finishDeclines(db, sql`k.id = ${claimId} and ${isDue(now)}`, now),
    selectClaims(db, sql`where k.id = ${claimId}`),
  ]);
  return { row, noticeIds: idsOf(told) };
}
