import { type SQL, sql } from 'drizzle-orm';
import type { Claim, ClaimRole, ClaimStep } from '#contract/claims.ts';
import { CLAIM_ASKS_MAX } from '#contract/limits.ts';
import { isDue } from '#worker/conditions/claims.ts';
import { idOf } from '#worker/conditions/people.ts';
import { arePaused } from '#worker/conditions/posts.ts';
import { type Db, type Plan, publishAs, type Statement } from '#worker/db/client.ts';
import { idRow, idsOf, queryFirst } from '#worker/db/statements.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { type AppContext, continueAfterAnswer } from '#worker/http/context.ts';
import { newId } from '#worker/identity/digests.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { deliverNotices, listUndelivered } from '#worker/notices/deliver-notices.ts';
import { notifyParties } from '#worker/notices/keep-notice.ts';
import { countGiven } from '#worker/posts/give-numbers.ts';
import { returnPosts } from '#worker/posts/post-states.ts';
import { movesOf, NEWS, nextState, speaksOfMoney, TABLE, waitsForPost } from './claim-rules.ts';
import { finishDeclines } from './close-claims.ts';
import { type ClaimRow, roleOf } from './present-claim.ts';
import { answerClaim, selectClaim } from './read-claims.ts';

/**
 * Takes a step and notifies the other party after the response.
 * @throws AppError claim_not_found, wrong_state, post_hidden, code_locked.
 */
export async function takeOwnStep(
  c: AppContext,
  viewer: Viewer,
  { claimId, step, text = null }: { claimId: string; step: ClaimStep; text?: string | null },
): Promise<Claim> {
  const now = Date.now();
  const declineDueAt = now + c.var.config.claimDeclineSeconds * 1000;
  const { row, isTaken, noticeIds } = await takeStep(c.var.db, viewer, { claimId, step, text, declineDueAt, now });
  const claim = answerClaim(c, viewer, row);
  // Delivers notices even if this step was not taken: the claim's pending decline may have become final.
  continueAfterAnswer(c, deliverNotices(c.env, c.var.db, noticeIds));
  if (isTaken) return claim;
  if (row) assertNotPaused(row, viewer, step);
  if (step === 'hand-over' && row) assertUnlocked(row, viewer, now);
  throw new AppError('wrong_state');
}

/** @throws AppError post_hidden if only the hidden post prevents the viewer from taking the step. */
export function assertNotPaused(row: ClaimRow, viewer: Viewer, step: ClaimStep): void {
  const role = roleOf(row, viewer);
  const isItsTurn = role !== null && nextState(row.state, step, role) !== 'wrong_state';
  if (isItsTurn && row.is_post_hidden === 1 && waitsForPost(step)) throw new AppError('post_hidden');
}

/** @throws AppError code_locked if the viewer is the finder and the hand-over code is locked. */
export function assertUnlocked({ state, code_locked_until, ...row }: ClaimRow, viewer: Viewer, now: number): void {
  if (row.finder_id !== viewer.userId || state !== 'accepted' || code_locked_until <= now) return;
  throw new AppError('code_locked', { retryAfterSeconds: Math.ceil((code_locked_until - now) / 1000) });
}

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
 * Takes a step, if the claim's state and the viewer's role allow it. The step's row is inserted first, under this
 * condition, and all other statements depend on the row, so that only one of several concurrent steps succeeds.
 * @returns the current claim, whether the step was taken, and the ids of the notices to deliver.
 */
async function takeStep(db: Db, viewer: Viewer, taken: TakenStep) {
  const { claimId, step, now } = taken;
  const stepId = newId();
  const isTaken = sql`exists (select 1 from claim_steps t where t.id = ${stepId})`;
  const { inserted, row, undelivered } = await publishAs(db, viewer, {
    declines: finishDeclines(db, sql`k.id = ${claimId} and ${isDue(now)}`, now),
    inserted: queryFirst(db, idRow)`${insertStep(viewer, taken, stepId)} returning id`,
    moveClaim: db.run(moveClaim(taken, stepId)),
    notified: notifyOther(db, taken, stepId),
    effects: effectsOf(db, viewer, { claimId, step, isTaken, now }),
    row: selectClaim(db, claimId),
    undelivered: listUndelivered(
      db,
      sql`select o.id from claims k cross join claims o on o.post_id = k.post_id where k.id = ${claimId}`,
    ),
  });
  return { row, isTaken: inserted !== undefined, noticeIds: idsOf(undelivered) };
}

/**
 * Inserts the step's row. A party who must not know of the step has no time in the row: `finder_at` or `claimant_at` is
 * null.
 */
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

/** Condition on the claim `k`: what the step requires in addition to the right state. */
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

/** Changes the claim's state. A party's `updated_at` only changes if the party knows of the step. */
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

function notifyOther(db: Db, { claimId, step, now }: TakenStep, stepId: string): Statement[] {
  const news = NEWS[step];
  if (!news) return [];
  const knows = sql.raw(`s.${news.to}_at`);
  const which = sql`k.id = ${claimId} and exists (
    select 1 from claim_steps s where s.id = ${stepId} and ${knows} is not null)`;
  return [notifyParties(db, { ...news, which }, now)];
}

/** The maximum number of undone declines that the database stores for a claim. */
const UNDONE_DECLINES_KEPT = 10;

type StepEffect = {
  claimId: string;
  step: ClaimStep;
  /** Condition: the step was taken. */
  isTaken: SQL;
  now: number;
};

/** Statements: make all changes of a step except the change of the claim's state, if the step was taken. */
function effectsOf(db: Db, viewer: Viewer, { step, ...taken }: StepEffect): Plan {
  switch (step) {
    case 'accept':
      // Pending declines of other claims on the post become final.
      return { declines: finishDeclines(db, sql`(${areOthers(taken.claimId)} and ${taken.isTaken})`, taken.now) };
    case 'undo':
      return { replies: deliverKept(db, taken), forgetUndone: forgetUndone(db, taken) };
    case 'withdraw':
      return { countNumber: countNumber(db, viewer, taken) };
    case 'hand-over':
      return returnPosts(
        db,
        sql`select o.post_id from claims o where o.id = ${taken.claimId} and ${taken.isTaken}`,
        taken.now,
      );
    default:
      return {};
  }
}

type Taken = Omit<StepEffect, 'step'>;

function areOthers(claimId: string): SQL {
  return sql`(k.post_id = ${postOf(claimId)} and k.id <> ${claimId})`;
}

function postOf(claimId: string): SQL {
  return sql`(select o.post_id from claims o where o.id = ${claimId})`;
}

/** Shows the finder the replies that the claimant sent between the finder's decline and its undo. */
function deliverKept(db: Db, { claimId, isTaken, now }: Taken) {
  const isKept = sql`(s.claim_id = ${claimId} and s.step = 'reply' and s.finder_at is null and ${isTaken})`;
  const which = sql`k.id = ${claimId} and exists (select 1 from claim_steps s where ${isKept})`;
  return {
    notified: notifyParties(db, { type: 'claim_replied', to: 'finder', which }, now),
    updateClaimSteps: db.run(sql`update claim_steps as s set finder_at = ${now} where ${isKept}`),
  };
}

/**
 * Deletes declines that the finder has undone, except the newest. A finder can decline and undo without limit, but all
 * steps of a claim are read as one value, which D1 limits to 2 MB.
 */
function forgetUndone(db: Db, { claimId, isTaken }: Taken): Statement {
  const areTheirs = sql`(claim_id = ${claimId} and step in ('decline', 'undo'))`;
  return db.run(sql`
    delete from claim_steps where ${areTheirs} and ${isTaken} and seq not in (
      select seq from claim_steps where ${areTheirs} order by seq desc limit ${2 * UNDONE_DECLINES_KEPT})`);
}

/**
 * If the withdrawn claim had been accepted, counts the finder's phone number towards the claimant's daily limit of
 * phone numbers seen. Otherwise people could collect phone numbers by claiming and withdrawing.
 */
function countNumber(db: Db, viewer: Viewer, { claimId, isTaken, now }: Taken): Statement {
  const wasAccepted = sql`(${isTaken} and exists (
    select 1 from claims k where k.id = ${claimId} and k.accepted_at is not null))`;
  return countGiven(db, idOf(viewer), postOf(claimId), wasAccepted, now);
}

/** Condition on the claim `k`: its hand-over code is not locked. */
export function isUnlocked(now: number): SQL {
  return sql`k.code_locked_until <= ${now}`;
}

/** Condition on the claim `k`: neither a hidden post nor a suspended finder pauses the claim. */
export function isNotPaused(): SQL {
  return sql`not exists (select 1 from posts p where p.id = k.post_id and ${arePaused('p')})`;
}
