import { eq, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { ReportInput } from '#contract/moderation.ts';
import { idOf } from '#worker/conditions/people.ts';
import { type Db, publishAs, readAs } from '#worker/db/client.ts';
import { firstOf, flag, queryFirst } from '#worker/db/statements.ts';
import { claimReports } from '#worker/db/tables/moderation.ts';
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
import { notifyAdmins, openCase } from './cases.ts';

/**
 * Reports a claim that the viewer is a party of. Each party can report it once. An admin sees the whole claim in its
 * post's case. The report does not hide the post.
 * @returns the report's id, or that of the earlier one made with the same `Idempotency-Key`.
 * @throws AppError claim_not_found, already_reported, too_many_requests, idempotency_mismatch.
 */
export async function reportClaim(c: AppContext, viewer: Viewer, claimId: string, input: ReportInput): Promise<string> {
  const { db, config } = c.var;
  const reporting = {
    claimId,
    idempotencyKey: await readIdempotencyKey(c),
    allowance: allowanceOf(config, 'report', viewer.userId),
    now: Date.now(),
  };
  const before = await readForClaimReport(db, viewer, reporting);
  const earlier = idMadeBefore(before.repeated, reporting.idempotencyKey);
  if (earlier !== null) return earlier;
  const { post_id: postId } = assertReportable(before, reporting);
  const id = newId();
  if (await insertClaimReport(db, viewer, { ...reporting, id, postId, input })) {
    continueAfterAnswer(c, notifyAdmins(c.env, db, reporting.now));
    return id;
  }
  // A concurrent request has used the idempotency key, or has made this report impossible.
  const after = await readForClaimReport(db, viewer, reporting);
  const concurrent = idMadeBefore(after.repeated, reporting.idempotencyKey);
  if (concurrent !== null) return concurrent;
  assertReportable(after, reporting);
  throw new AppError('unavailable');
}

/** Checks whether the claim may be reported. @returns the claim. */
function assertReportable(
  { claim, counted }: Awaited<ReturnType<typeof readForClaimReport>>,
  { allowance, now }: ClaimReporting,
) {
  if (!claim) throw new AppError('claim_not_found');
  if (claim.is_reported === 1) throw new AppError('already_reported');
  assertRoom(allowance, counted, now);
  return claim;
}

const reportedClaimRow = () => z.object({ post_id: z.string(), is_reported: flag() });

type ClaimReporting = {
  claimId: string;
  idempotencyKey: IdempotencyKey | null;
  allowance: Allowance;
  now: number;
};

/** Reads everything that is needed before a claim is reported, in one round trip. */
async function readForClaimReport(db: Db, viewer: Viewer, reporting: ClaimReporting) {
  const { claimId, idempotencyKey, allowance, now } = reporting;
  const me = idOf(viewer);
  const { claim, repeated, counted } = await readAs(db, viewer, {
    claim: queryFirst(db, reportedClaimRow)`
      select k.post_id, exists (
        select 1 from claim_reports r where r.claim_id = k.id and r.reporter_id = ${me}) as is_reported
      from claims k where k.id = ${claimId} and ${me} in (k.finder_id, k.claimant_id)`,
    repeated: selectMade(db, viewer, idempotencyKey, now),
    counted: readCount(db, allowance, now),
  });
  return { claim, repeated, counted };
}

type NewClaimReport = ClaimReporting & { id: string; postId: string; input: ReportInput };

/** Writes the report and opens a case for the claim's post. @returns whether the report was written. */
async function insertClaimReport(db: Db, viewer: Viewer, report: NewClaimReport): Promise<boolean> {
  const { id, claimId, postId, input, idempotencyKey, allowance, now } = report;
  const me = idOf(viewer);
  const isMade = sql`exists (select 1 from claim_reports where id = ${id})`;
  const { made } = await publishAs(db, viewer, {
    reserveKey: reserveKey(db, viewer, idempotencyKey, id, now),
    insertClaimReports: db.run(sql`
      insert into claim_reports (id, claim_id, post_id, reporter_id, reason, text, created_at)
      select ${id}, k.id, k.post_id, ${me}, ${input.reason}, ${input.text}, ${now} from claims k
      where k.id = ${claimId} and ${me} in (k.finder_id, k.claimant_id)
        and ${hasReservedKey(viewer, idempotencyKey, id)} and ${hasRoom(allowance, now)}
      on conflict (claim_id, reporter_id) do nothing`),
    count: countIf(db, allowance, isMade, now),
    releaseKey: releaseKey(db, viewer, idempotencyKey, id, isMade),
    made: firstOf(db.select({ id: claimReports.id }).from(claimReports).where(eq(claimReports.id, id))),
    openCase: openCase(db, postId, sql`(${isMade} and exists (select 1 from posts w where w.id = ${postId}))`, now),
  });
  return made !== undefined;
}
