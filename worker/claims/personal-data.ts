import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { CLAIM_ROLES, type ClaimRole } from '#contract/claims.ts';
import type { Db } from '#worker/db/client.ts';
import type { PersonalData } from '#worker/db/personal-data.ts';
import { queryRows, type RowOf } from '#worker/db/rows.ts';
import { tellOfClaims } from '#worker/notices/index.ts';
import { areNotApart, isOpenClaim } from '#worker/posts/index.ts';
import { claimRow, presentTitle, redactClaim } from './present-claim.ts';

const exportedRow = () =>
  z.extend(
    z.pick(claimRow(), {
      ...{ id: true, post_id: true, post_title: true, post_kind: true, question: true, answer: true },
      ...{ private_marks: true, accepted_at: true, are_apart: true, created_at: true },
    }),
    { role: z.enum(CLAIM_ROLES), phone_number: z.nullable(z.string()), messages: z.string() },
  );

/** A claim stays for the other person, closed, without the erased person's name, number and messages. */
export const claimData: PersonalData = {
  tables: { claims: 'claimant_id' },
  async exportFor(db, userId) {
    const shared = sql`k.id, k.post_id, k.post_title, k.post_kind, k.question, k.accepted_at, k.created_at,
      not (${areNotApart(sql`k.finder_id`, sql`k.claimant_id`)}) as are_apart`;
    const rows = await queryRows(db, exportedRow)`
      select ${shared}, 'claimant' as role, k.answer, null as private_marks, k.phone_number,
        ${ownWords('claimant')} as messages from claims k where k.claimant_id = ${userId}
      union all
      select ${shared}, 'finder', null, k.private_marks, null, ${ownWords('finder')}
      from claims k where k.finder_id = ${userId}
      order by created_at`;
    return { claims: rows.map(presentOwn) };
  },
  eraseFor(db, userId) {
    const now = Date.now();
    const left = sql`k.finder_id = ${userId} and ${isOpenClaim('k', now)}`;
    return [
      tellOfClaims(db, { type: 'claim_closed', to: 'claimant', which: left }, now),
      forgetWords(db, 'finder', userId),
      forgetWords(db, 'claimant', userId),
      db.run(sql`
        update claims set finder_id = null, post_title = null, question = null, private_marks = null, state = 'closed',
          decline_due_at = null, claimant_updated_at = ${now} where finder_id = ${userId}`),
      db.run(sql`
        update claims set claimant_id = null, answer = null, phone_number = null, state = 'closed',
          decline_due_at = null, finder_updated_at = ${now} where claimant_id = ${userId}`),
      db.run(sql`
        delete from claim_steps where claim_id in (
          select id from claims where finder_id is null and claimant_id is null)`),
      db.run(sql`delete from claims where finder_id is null and claimant_id is null`),
    ];
  },
};

/** Deletes the titles of the person's posts from the claims on them, so that no notice shows them any more. */
export async function forgetTitles(db: Db, userId: string): Promise<void> {
  await db.repeatable.run(sql`update claims set post_title = null where finder_id = ${userId}`);
}

/** One's own words whole, the other person's as the claim itself shows them. */
function presentOwn({ post_kind, accepted_at, are_apart, ...row }: RowOf<typeof exportedRow>) {
  const post_title = presentTitle({ post_title: row.post_title, post_kind }, row.role);
  const question = row.role === 'finder' ? row.question : redactClaim({ accepted_at, are_apart })(row.question);
  return { ...row, post_title, question };
}

/** Expression: the person's messages in the claim `k`, as JSON. */
function ownWords(role: ClaimRole): SQL {
  return sql`(
    select json_group_array(s.text) from claim_steps s
    where s.claim_id = k.id and s."by" = ${role} and s.text is not null)`;
}

function forgetWords(db: Db, role: ClaimRole, userId: string) {
  return db.run(sql`
    update claim_steps set text = null
    where "by" = ${role} and claim_id in (select id from claims where ${sql.raw(`${role}_id`)} = ${userId})`);
}
