import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { ReportInput } from '#contract/moderation.ts';
import { type Db, publishAs, readAs } from '#worker/db/client.ts';
import { claimKey, hasClaimed, type IdempotencyKey, releaseKey, selectMade } from '#worker/db/idempotency.ts';
import { flag, idRow, queryRows } from '#worker/db/rows.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { type Allowance, countIf, hasRoom, readCount } from '#worker/limits/allowance.ts';
import { idOf } from '#worker/posts/index.ts';
import { openCase } from './case-store.ts';

const reportedClaimRow = () => z.object({ post_id: z.string(), is_reported: flag() });

export type ClaimReporting = {
  claimId: string;
  idempotencyKey: IdempotencyKey | null;
  allowance: Allowance;
  now: number;
};

/** Reads everything that is needed before a claim is reported, in one round trip. */
export async function readForClaimReport(db: Db, viewer: Viewer, reporting: ClaimReporting) {
  const { claimId, idempotencyKey, allowance, now } = reporting;
  const me = idOf(viewer);
  const [[claim], [repeated], [counted]] = await readAs(db, viewer, [
    queryRows(db, reportedClaimRow)`
      select k.post_id, exists (
        select 1 from claim_reports r where r.claim_id = k.id and r.reporter_id = ${me}) as is_reported
      from claims k where k.id = ${claimId} and ${me} in (k.finder_id, k.claimant_id)`,
    selectMade(db, viewer, idempotencyKey, now),
    readCount(db, allowance, now),
  ]);
  return { claim, repeated, counted };
}

type NewClaimReport = ClaimReporting & { id: string; postId: string; input: ReportInput };

/** Writes the report and opens a case for its post. @returns whether it was written. */
export async function insertClaimReport(db: Db, viewer: Viewer, report: NewClaimReport): Promise<boolean> {
  const { id, claimId, postId, input, idempotencyKey, allowance, now } = report;
  const me = idOf(viewer);
  const isMade = sql`exists (select 1 from claim_reports where id = ${id})`;
  const [, , , , [made]] = await publishAs(db, viewer, [
    claimKey(db, viewer, idempotencyKey, id, now),
    db.run(sql`
      insert into claim_reports (id, claim_id, post_id, reporter_id, reason, text, created_at)
      select ${id}, k.id, k.post_id, ${me}, ${input.reason}, ${input.text}, ${now} from claims k
      where k.id = ${claimId} and ${me} in (k.finder_id, k.claimant_id)
        and ${hasClaimed(viewer, idempotencyKey, id)} and ${hasRoom(allowance, now)}
      on conflict (claim_id, reporter_id) do nothing`),
    countIf(db, allowance, isMade, now),
    releaseKey(db, viewer, idempotencyKey, id, isMade),
    queryRows(db, idRow)`select id from claim_reports where id = ${id}`,
    openCase(db, postId, sql`(${isMade} and exists (select 1 from posts w where w.id = ${postId}))`, now),
  ]);
  return made !== undefined;
}
