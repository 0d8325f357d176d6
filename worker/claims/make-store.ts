import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { ClaimInput } from '#contract/claims.ts';
import { CLAIM_TRIES_MAX } from '#contract/limits.ts';
import { type Db, publishAs, readAs } from '#worker/db/client.ts';
import { claimKey, hasClaimed, type IdempotencyKey, releaseKey, selectMade } from '#worker/db/idempotency.ts';
import { flag, idsOf, queryRows } from '#worker/db/rows.ts';
import { newId } from '#worker/identity/ids.ts';
import { hasProvenNumber } from '#worker/identity/proven-number.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { type Allowance, countIf, hasRoom, readCount } from '#worker/limits/allowance.ts';
import { listUndelivered, tellOfClaims } from '#worker/notices/index.ts';
import { idOf, isOpen, isOpenClaim, isOpenedBy } from '#worker/posts/index.ts';
import { selectClaims } from './read-store.ts';

/** What decides whether the viewer may claim a post, before anything is written. */
const claimableRow = () =>
  z.object({
    is_seen: flag(),
    is_claimable: flag(),
    has_open: flag(),
    tries: z.number(),
    is_proven: flag(),
  });

export type Making = {
  postId: string;
  idempotencyKey: IdempotencyKey | null;
  /** For people with a proven number, and for everybody else. */
  allowances: { proven: Allowance; unproven: Allowance };
  now: number;
};

/** Reads everything that is needed before a claim is made, in one round trip. */
export async function readForClaim(db: Db, viewer: Viewer, { postId, idempotencyKey, allowances, now }: Making) {
  const me = idOf(viewer);
  const [[post], [repeated], [proven], [unproven]] = await readAs(db, viewer, [
    queryRows(db, claimableRow)`
      select (p.author_id = ${me} or ${isOpenedBy('p', me)}) as is_seen, ${isClaimable(me)} as is_claimable,
        ${hasOpen(me, now)} as has_open, ${triesOf(me)} as tries, ${hasProvenNumber(me)} as is_proven
      from posts p where p.id = ${postId}`,
    selectMade(db, viewer, idempotencyKey, now),
    readCount(db, allowances.proven, now),
    readCount(db, allowances.unproven, now),
  ]);
  return { post, repeated, counted: { proven, unproven } };
}

type NewClaim = Making & { input: ClaimInput };

/**
 * Makes the claim and notifies the finder, in one transaction.
 * @returns the claim, undefined if a concurrent request has made it impossible, and the ids of the notices to deliver.
 */
export async function insertClaim(db: Db, viewer: Viewer, claim: NewClaim) {
  const { idempotencyKey, allowances, now } = claim;
  const id = newId();
  const isMade = sql`exists (select 1 from claims m where m.id = ${id})`;
  const isProven = hasProvenNumber(idOf(viewer));
  const [, , , , , , , [row], undelivered] = await publishAs(db, viewer, [
    claimKey(db, viewer, idempotencyKey, id, now),
    db.run(insertWhere(viewer, claim, id)),
    db.run(sql`
      insert into claim_steps (id, claim_id, step, "by", finder_at, claimant_at)
      select ${newId()}, ${id}, 'claim', 'claimant', ${now}, ${now} where ${isMade}`),
    countIf(db, allowances.proven, sql`${isMade} and ${isProven}`, now),
    countIf(db, allowances.unproven, sql`${isMade} and not ${isProven}`, now),
    releaseKey(db, viewer, idempotencyKey, id, isMade),
    tellOfClaims(db, { type: 'claim_received', to: 'finder', which: sql`k.id = ${id}` }, now),
    selectClaims(db, sql`where k.id = ${id}`),
    listUndelivered(db, sql`${id}`),
  ]);
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
      and ${triesOf(me)} < ${CLAIM_TRIES_MAX} and ${hasClaimed(viewer, idempotencyKey, id)}
      and iif(${hasProvenNumber(me)}, ${hasRoom(allowances.proven, now)}, ${hasRoom(allowances.unproven, now)})`;
}

/** Condition on the post `p`: an open finder's post of somebody else. */
function isClaimable(me: SQL): SQL {
  return sql`(p.author_id <> ${me} and p.posted_by = 'finder' and ${isOpen('p')})`;
}

function hasOpen(me: SQL, now: number): SQL {
  return sql`exists (
    select 1 from claims k where k.post_id = p.id and k.claimant_id = ${me} and ${isOpenClaim('k', now)})`;
}

/** Expression: how often the person has claimed the post. Closed claims do not count: others closed them. */
function triesOf(me: SQL): SQL {
  return sql`(
    select count(*) from claims k where k.post_id = p.id and k.claimant_id = ${me} and k.state <> 'closed')`;
}
