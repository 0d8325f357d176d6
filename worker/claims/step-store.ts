import { type SQL, sql } from 'drizzle-orm';
import type { ClaimRole, ClaimStep } from '#contract/claims.ts';
import { CLAIM_ASKS_MAX } from '#contract/limits.ts';
import { type Db, publishAs, type Statement } from '#worker/db/client.ts';
import { idRow, idsOf, queryRows } from '#worker/db/rows.ts';
import { newId } from '#worker/identity/ids.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { listUndelivered, tellOfClaims } from '#worker/notices/index.ts';
import { movesOf, NEWS, TABLE, waitsForPost } from './claim-rules.ts';
import { isNotPaused, isUnlocked } from './code-store.ts';
import { consequencesOf } from './consequences.ts';
import { speaksOfMoney } from './money-rules.ts';
import { finishDeclines, isDue } from './news-store.ts';
import type { ClaimRow } from './present-claim.ts';
import { selectClaims } from './read-store.ts';

type TakenStep = {
  claimId: string;
  step: ClaimStep;
  /** The text of a question or a reply. */
  text: string | null;
  /** When a decline takes effect. */
  declineDueAt: number;
  now: number;
};

/**
 * Takes a step, if the claim's state and the viewer's role allow it. The step's row is inserted first, under that
 * condition, and everything else depends on that row, so only one of several concurrent steps succeeds.
 * @returns the claim now, whether the step was taken, and the ids of the notices to deliver.
 */
export async function takeStep(db: Db, viewer: Viewer, taken: TakenStep) {
  const { claimId, step, now } = taken;
  const stepId = newId();
  const isTaken = sql`exists (select 1 from claim_steps t where t.id = ${stepId})`;
  const [, , , [done], , ...rest] = await publishAs(db, viewer, [
    ...finishDeclines(db, sql`k.id = ${claimId} and ${isDue(now)}`, now),
    queryRows(db, idRow)`${insertStep(viewer, taken, stepId)} returning id`,
    db.run(moveClaim(taken, stepId)),
    ...tellOther(db, taken, stepId),
    ...consequencesOf(db, viewer, { claimId, step, isTaken, now }),
    selectClaims(db, sql`where k.id = ${claimId}`),
    listUndelivered(
      db,
      sql`select o.id from claims k cross join claims o on o.post_id = k.post_id where k.id = ${claimId}`,
    ),
  ]);
  const [rows, undelivered] = rest.slice(-2) as [ClaimRow[], { id: string }[]];
  return { row: rows[0], isTaken: done !== undefined, noticeIds: idsOf(undelivered) };
}

/** `finder_at` and `claimant_at` stay null for a side that must not learn of the step, as of a decline that can be undone. */
function insertStep(viewer: Viewer, { claimId, step, text, now }: TakenStep, stepId: string): SQL {
  const { by } = TABLE[step];
  const froms = sql.raw(
    movesOf(step)
      .map(([from]) => `'${from}'`)
      .join(', '),
  );
  const finderAt = sql`iif(${step} = 'reply' and k.state = 'declining_asked', null, ${now})`;
  const claimantAt = sql`iif(${step} = 'undo' or (${step} = 'decline' and k.state <> 'accepted'), null, ${now})`;
  return sql`
    insert into claim_steps (id, claim_id, step, "by", text, is_about_money, finder_at, claimant_at)
    select ${stepId}, k.id, ${step}, ${by}, ${text}, ${text !== null && speaksOfMoney(text)}, ${finderAt}, ${claimantAt}
    from claims k
    where k.id = ${claimId} and ${sql.raw(`k.${by}_id`)} = ${viewer.userId} and k.state in (${froms})
      and ${guardOf(step, now)} and ${waitsForPost(step) ? isNotPaused() : sql`true`}`;
}

/** Condition on the claim `k`: what the step requires besides the state. */
function guardOf(step: ClaimStep, now: number): SQL {
  switch (step) {
    case 'ask':
      return sql`(
        select count(*) from claim_steps s where s.claim_id = k.id and s.step = 'ask') < ${CLAIM_ASKS_MAX}`;
    case 'accept':
      return sql`not exists (select 1 from claims o where o.post_id = k.post_id and o.state = 'accepted')`;
    case 'hand-over':
      return isUnlocked(now);
    default:
      return sql`true`;
  }
}

/** A side's `updated_at` changes only if it knows of the step. */
function moveClaim({ claimId, step, declineDueAt, now }: TakenStep, stepId: string): SQL {
  const moves = movesOf(step).map(([from, to]) => sql`when ${from} then ${to}`);
  const updatedAt = (role: ClaimRole) =>
    sql`${sql.raw(`${role}_updated_at`)} = coalesce(s.${sql.raw(`${role}_at`)}, ${sql.raw(`k.${role}_updated_at`)})`;
  return sql`
    update claims as k set state = case k.state ${sql.join(moves, sql` `)} end,
      decline_due_at = case when ${step} = 'decline' and k.state <> 'accepted' then ${declineDueAt}
        when ${step} = 'reply' then k.decline_due_at end,
      accepted_at = iif(${step} = 'accept', ${now}, k.accepted_at),
      handed_over_at = iif(${step} = 'hand-over', ${now}, k.handed_over_at),
      ${updatedAt('finder')}, ${updatedAt('claimant')}
    from claim_steps s where k.id = ${claimId} and s.id = ${stepId}`;
}

function tellOther(db: Db, { claimId, step, now }: TakenStep, stepId: string): Statement[] {
  const news = NEWS[step];
  if (!news) return [];
  const knows = sql.raw(`s.${news.to}_at`);
  const which = sql`k.id = ${claimId} and exists (
    select 1 from claim_steps s where s.id = ${stepId} and ${knows} is not null)`;
  return [tellOfClaims(db, { ...news, which }, now)];
}
