import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Claim, ClaimInput } from '#contract/claims.ts';
import { CLAIM_TRIES_MAX } from '#contract/limits.ts';
import { isOpenClaim } from '#worker/conditions/claims.ts';
import { hasProvenNumber, idOf } from '#worker/conditions/people.ts';
import { isOpen, isOpenedBy } from '#worker/conditions/posts.ts';
import { type Db, publishAs, readAs } from '#worker/db/client.ts';
import { flag, idsOf, queryFirst } from '#worker/db/statements.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { type AppContext, continueAfterAnswer } from '#worker/http/context.ts';
import {
  hasReservedKey,
  type IdempotencyKey,
  idMadeBefore,
  readIdempotencyKey,
  releaseKey,
  reserveKey,
  selectMade,
} from '#worker/http/idempotency.ts';
import { newId } from '#worker/identity/digests.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { type Allowance, allowanceOf, assertRoom, countIf, hasRoom, readCount } from '#worker/limits/allowance.ts';
import { deliverNotices, listUndelivered } from '#worker/notices/deliver-notices.ts';
import { notifyParties } from '#worker/notices/keep-notice.ts';
import { answerClaim, findClaim, selectClaim } from './read-claims.ts';

/**
 * Claims a found thing for the viewer, and notifies the finder after the response.
 * @returns the claim, or the earlier one made with the same `Idempotency-Key`.
 * @throws AppError idempotency_mismatch or idempotency_conflict; post_not_found, not_claimable, claim_exists,
 * no_tries_left or too_many_requests, checked in this order.
 */
export async function makeClaim(c: AppContext, viewer: Viewer, postId: string, input: ClaimInput): Promise<Claim> {
  const { db, config } = c.var;
  const making = {
    postId,
    idempotencyKey: await readIdempotencyKey(c),
    allowances: {
      proven: allowanceOf(config, 'claim', viewer.userId),
      unproven: allowanceOf(config, 'claim_unproven', viewer.userId),
    },
    now: Date.now(),
  };
  const before = await readForClaim(db, viewer, making);
  const earlier = idMadeBefore(before.repeated, making.idempotencyKey);
  if (earlier !== null) return openMade(c, viewer, earlier);
  assertClaimable(before, making);
  const { row, noticeIds } = await insertClaim(db, viewer, { ...making, input });
  if (row) {
    continueAfterAnswer(c, deliverNotices(c.env, db, noticeIds));
    return answerClaim(c, viewer, row);
  }
  // A concurrent request was first: it has used the key, or has made this claim impossible.
  const after = await readForClaim(db, viewer, making);
  const concurrent = idMadeBefore(after.repeated, making.idempotencyKey);
  if (concurrent !== null) return openMade(c, viewer, concurrent);
  assertClaimable(after, making);
  throw new AppError('unavailable');
}

function assertClaimable(
  { post, counted }: Awaited<ReturnType<typeof readForClaim>>,
  { allowances, now }: Making,
): void {
  if (post?.is_seen !== 1) throw new AppError('post_not_found');
  if (post.is_claimable === 0) throw new AppError('not_claimable');
  if (post.has_open === 1) throw new AppError('claim_exists');
  if (post.tries >= CLAIM_TRIES_MAX) throw new AppError('no_tries_left');
  const kind = post.is_proven === 1 ? 'proven' : 'unproven';
  assertRoom(allowances[kind], counted[kind], now);
}

/**
 * Returns the claim that an earlier request with the same idempotency key has made.
 * @throws AppError idempotency_conflict if that claim was deleted since.
 */
async function openMade(c: AppContext, viewer: Viewer, claimId: string): Promise<Claim> {
  const { row, noticeIds } = await findClaim(c.var.db, viewer, claimId, Date.now());
  continueAfterAnswer(c, deliverNotices(c.env, c.var.db, noticeIds));
  if (!row) throw new AppError('idempotency_conflict');
  return answerClaim(c, viewer, row);
}

/** The data that decide whether the viewer may claim the post. */
const claimableRow = () =>
  z.object({
    is_seen: flag(),
    is_claimable: flag(),
    has_open: flag(),
    tries: z.number(),
    is_proven: flag(),
  });

type Making = {
  postId: string;
  idempotencyKey: IdempotencyKey | null;
  /** Limits on new claims: `proven` for people with a proven phone number, `unproven` for all others. */
  allowances: { proven: Allowance; unproven: Allowance };
  now: number;
};

/** Reads all that is needed before a claim is made, in one round trip. */
async function readForClaim(db: Db, viewer: Viewer, { postId, idempotencyKey, allowances, now }: Making) {
  const me = idOf(viewer);
  const { post, repeated, proven, unproven } = await readAs(db, viewer, {
    post: queryFirst(db, claimableRow)`
      select (p.author_id = ${me} or ${isOpenedBy('p', me)}) as is_seen, ${isClaimable(me)} as is_claimable,
        ${hasOpen(me, now)} as has_open, ${triesOf(me)} as tries, ${hasProvenNumber(me)} as is_proven
      from posts p where p.id = ${postId}`,
    repeated: selectMade(db, viewer, idempotencyKey, now),
    proven: readCount(db, allowances.proven, now),
    unproven: readCount(db, allowances.unproven, now),
  });
  return { post, repeated, counted: { proven, unproven } };
}

type NewClaim = Making & { input: ClaimInput };

/**
 * Makes the claim and notifies the finder, in one transaction.
 * @returns the claim (undefined if a concurrent request has made it impossible), and the ids of the notices to deliver.
 */
async function insertClaim(db: Db, viewer: Viewer, claim: NewClaim) {
  const { idempotencyKey, allowances, now } = claim;
  const id = newId();
  const isMade = sql`exists (select 1 from claims m where m.id = ${id})`;
  const isProven = hasProvenNumber(idOf(viewer));
  const { row, undelivered } = await publishAs(db, viewer, {
    reserveKey: reserveKey(db, viewer, idempotencyKey, id, now),
    insertClaim: db.run(insertWhere(viewer, claim, id)),
    insertClaimSteps: db.run(sql`
      insert into claim_steps (id, claim_id, step, "by", finder_at, claimant_at)
      select ${newId()}, ${id}, 'claim', 'claimant', ${now}, ${now} where ${isMade}`),
    countProven: countIf(db, allowances.proven, sql`${isMade} and ${isProven}`, now),
    countUnproven: countIf(db, allowances.unproven, sql`${isMade} and not ${isProven}`, now),
    releaseKey: releaseKey(db, viewer, idempotencyKey, id, isMade),
    notified: notifyParties(db, { type: 'claim_received', to: 'finder', which: sql`k.id = ${id}` }, now),
    row: selectClaim(db, id),
    undelivered: listUndelivered(db, sql`${id}`),
  });
  return { row, noticeIds: idsOf(undelivered) };
}

function insertWhere(viewer: Viewer, { postId, input, idempotencyKey, allowances, now }: NewClaim, id: string): SQL {
  const me = idOf(viewer);
  return sql`
    insert into claims (id, post_id, post_title, post_kind, finder_id, claimant_id, question, private_marks, answer,
      phone_number, state, created_at, finder_updated_at, claimant_updated_at)
    select ${id}, p.id, p.title, p.kind, p.author_id, ${me}, p.claim_question, p.private_marks, ${input.answer},
      coalesce(${input.phone_number}, (select n.number from phone_numbers n where n.user_id = ${me})),
      'waiting', ${now}, ${now}, ${now}
    from posts p
    where p.id = ${postId} and ${isOpenedBy('p', me)} and ${isClaimable(me)} and not ${hasOpen(me, now)}
      and ${triesOf(me)} < ${CLAIM_TRIES_MAX} and ${hasReservedKey(viewer, idempotencyKey, id)}
      and iif(${hasProvenNumber(me)}, ${hasRoom(allowances.proven, now)}, ${hasRoom(allowances.unproven, now)})`;
}

/** Condition on the post `p`: it is open, about a found thing, and another person's. */
function isClaimable(me: SQL): SQL {
  return sql`(p.author_id <> ${me} and p.posted_by = 'finder' and ${isOpen('p')})`;
}

function hasOpen(me: SQL, now: number): SQL {
  return sql`exists (
    select 1 from claims k where k.post_id = p.id and k.claimant_id = ${me} and ${isOpenClaim('k', now)})`;
}

/**
 * Expression: how often the person has claimed the post. Closed claims do not count, because no party declined or
 * withdrew them.
 */
function triesOf(me: SQL): SQL {
  return sql`(
    select count(*) from claims k where k.post_id = p.id and k.claimant_id = ${me} and k.state <> 'closed')`;
}
