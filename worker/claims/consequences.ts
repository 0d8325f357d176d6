import { type SQL, sql } from 'drizzle-orm';
import type { ClaimStep } from '#contract/claims.ts';
import type { Db, Statement } from '#worker/db/client.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { rememberUnread, reviseUnreadNotices, tellOfClaims } from '#worker/notices/index.ts';
import { countGiven, idOf, returnStatements } from '#worker/posts/index.ts';
import { closeClaimsOf, finishDeclines } from './news-store.ts';

/** Per claim; older ones tell nobody anything. */
const UNDONE_DECLINES_KEPT = 10;

type Consequence = {
  claimId: string;
  step: ClaimStep;
  /** Condition: the step was taken. */
  isTaken: SQL;
  now: number;
};

/** Statements: the effects of a step beyond its own claim, if it was taken. */
export function consequencesOf(db: Db, viewer: Viewer, { step, ...taken }: Consequence): Statement[] {
  switch (step) {
    case 'accept':
      // Declines of other claims on the post can no longer be undone.
      return [...finishDeclines(db, sql`(${areOthers(taken.claimId)} and ${taken.isTaken})`, taken.now)];
    case 'undo':
      return [...deliverKept(db, taken), forgetUndone(db, taken)];
    case 'withdraw':
      return [countNumber(db, viewer, taken)];
    case 'hand-over':
      return returnPost(db, taken);
    default:
      return [];
  }
}

type Taken = Omit<Consequence, 'step'>;

/** Condition on claims `k`: other claims on the same post. */
function areOthers(claimId: string): SQL {
  return sql`(k.post_id = ${postOf(claimId)} and k.id <> ${claimId})`;
}

/** Expression: the id of the claim's post. */
function postOf(claimId: string): SQL {
  return sql`(select o.post_id from claims o where o.id = ${claimId})`;
}

/** Delivers the replies that the finder was not shown while the claim was declining. */
function deliverKept(db: Db, { claimId, isTaken, now }: Taken): Statement[] {
  const isKept = sql`(s.claim_id = ${claimId} and s.step = 'reply' and s.finder_at is null and ${isTaken})`;
  const which = sql`k.id = ${claimId} and exists (select 1 from claim_steps s where ${isKept})`;
  return [
    tellOfClaims(db, { type: 'claim_replied', to: 'finder', which }, now),
    db.run(sql`update claim_steps as s set finder_at = ${now} where ${isKept}`),
  ];
}

/**
 * Forgets undone declines but the newest. Only they can be repeated without end, and all steps of a claim are read as one
 * value, of which D1 allows 2 MB.
 */
function forgetUndone(db: Db, { claimId, isTaken }: Taken): Statement {
  const areTheirs = sql`(claim_id = ${claimId} and step in ('decline', 'undo'))`;
  return db.run(sql`
    delete from claim_steps where ${areTheirs} and ${isTaken} and seq not in (
      select seq from claim_steps where ${areTheirs} order by seq desc limit ${2 * UNDONE_DECLINES_KEPT})`);
}

/** Counts the finder's number for the claimant's day: otherwise claims could be used to harvest numbers. */
function countNumber(db: Db, viewer: Viewer, { claimId, isTaken, now }: Taken): Statement {
  const wasAccepted = sql`(${isTaken} and exists (
    select 1 from claims k where k.id = ${claimId} and k.accepted_at is not null))`;
  return countGiven(db, idOf(viewer), postOf(claimId), wasAccepted, now);
}

function returnPost(db: Db, { claimId, isTaken, now }: Taken): Statement[] {
  const post = sql`select o.post_id from claims o where o.id = ${claimId} and ${isTaken}`;
  return [
    ...returnStatements(db, postOf(claimId), isTaken, now),
    rememberUnread(db, post),
    reviseUnreadNotices(db, post),
    ...closeClaimsOf(db, post, now),
  ];
}
