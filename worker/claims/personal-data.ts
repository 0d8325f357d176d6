import { type SQL, sql } from 'drizzle-orm';
import type { ClaimRole } from '#contract/claims.ts';
import type { Db } from '#worker/db/client.ts';
import type { PersonalData } from '#worker/db/personal-data.ts';
import { tellOfClaims } from '#worker/notices/index.ts';
import { isOpenClaim } from '#worker/posts/index.ts';

/** A claim stays for the other person, closed, without the erased person's name, number and messages. */
export const claimData: PersonalData = {
  tables: { claims: 'claimant_id' },
  async exportFor(db, userId) {
    const claims = await db.all(sql`
      select k.id, k.post_id, 'claimant' as role, k.post_title, k.question, k.answer, null as private_marks,
        k.phone_number, k.created_at, ${ownWords('claimant')} as messages from claims k where k.claimant_id = ${userId}
      union all
      select k.id, k.post_id, 'finder', k.post_title, k.question, null, k.private_marks, null, k.created_at,
        ${ownWords('finder')} from claims k where k.finder_id = ${userId}
      order by created_at`);
    return { claims };
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
