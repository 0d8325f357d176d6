import { eq, type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { REPORT_REASONS } from '#contract/kinds.ts';
import { REPORTS_THAT_HIDE } from '#contract/limits.ts';
import type { PostStandingMessage } from '#contract/live-messages.ts';
import type { ReportInput } from '#contract/moderation.ts';
import { hasProvenNumber, idOf } from '#worker/conditions/people.ts';
import { isOpenedBy } from '#worker/conditions/posts.ts';
import { type Db, publishAs, readAs } from '#worker/db/client.ts';
import { firstOf, idRow, idsOf, queryFirst, queryRows } from '#worker/db/statements.ts';
import { postReports } from '#worker/db/tables/moderation.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { type AppContext, continueAfterAnswer } from '#worker/http/context.ts';
import { forgetPosts } from '#worker/http/edge-cache.ts';
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
import { deliverNotices } from '#worker/notices/deliver-notices.ts';
import { keepNotice, toStandingMessage } from '#worker/notices/keep-notice.ts';
import { assertVisible, selectPost } from '#worker/posts/find-post.ts';
import { hidePosts } from '#worker/posts/post-states.ts';
import { isCleared, notifyAdmins, openCase } from './cases.ts';
import { authorOf, isHiddenBy } from './decide-on-post.ts';
import { chiefReason } from './list-cases.ts';
import { logAction } from './moderation-log.ts';

/**
 * Reports somebody else's post, once per person, and sends notices after the response.
 * @returns the report's id, or that of the earlier one made with the same `Idempotency-Key`.
 * @throws AppError post_not_found, own_post, already_reported, too_many_requests, idempotency_mismatch.
 */
export async function reportPost(c: AppContext, viewer: Viewer, postId: string, input: ReportInput): Promise<string> {
  const { db, config } = c.var;
  const now = Date.now();
  const idempotencyKey = await readIdempotencyKey(c);
  const reporting = { postId, idempotencyKey, allowance: allowanceOf(config, 'report', viewer.userId), now };
  const before = await readForReport(db, viewer, reporting);
  const earlier = idMadeBefore(before.repeated, idempotencyKey);
  if (earlier !== null) return earlier;
  const post = assertReportable(before, viewer, reporting);
  const reason = chiefReason(before.reasons, input.reason);
  const id = newId();
  const { isMade, hiddenPosts, noticeIds } = await insertReport(db, viewer, {
    ...reporting,
    id,
    input,
    message: toStandingMessage(post, { by: 'reports', reason }, { id: newId(), now }),
    minAgeSeconds: config.reporterMinAgeSeconds,
  });
  if (isMade) {
    continueAfterAnswer(c, deliverNotices(c.env, db, noticeIds));
    continueAfterAnswer(c, notifyAdmins(c.env, db, now));
    forgetPosts(c, hiddenPosts);
    return id;
  }
  // A concurrent request has used the idempotency key, or has made this report impossible.
  const after = await readForReport(db, viewer, reporting);
  const concurrent = idMadeBefore(after.repeated, idempotencyKey);
  if (concurrent !== null) return concurrent;
  assertReportable(after, viewer, reporting);
  throw new AppError('unavailable');
}

/** Checks whether the post may be reported. @returns the post. */
function assertReportable(
  { post, earlier, counted }: Awaited<ReturnType<typeof readForReport>>,
  viewer: Viewer,
  { allowance, now }: Reporting,
) {
  const visible = assertVisible(post, viewer);
  if (visible.author_id === viewer.userId) throw new AppError('own_post');
  if (earlier) throw new AppError('already_reported');
  assertRoom(allowance, counted, now);
  return visible;
}

const reasonRow = () => z.object({ reason: z.enum(REPORT_REASONS), count: z.number() });

type Reporting = {
  postId: string;
  idempotencyKey: IdempotencyKey | null;
  allowance: Allowance;
  now: number;
};

/** Reads everything that is needed before a post is reported, in one round trip. */
async function readForReport(db: Db, viewer: Viewer, { postId, idempotencyKey, allowance, now }: Reporting) {
  const { post, repeated, earlier, counted, reasons } = await readAs(db, viewer, {
    post: selectPost(db, viewer, postId),
    repeated: selectMade(db, viewer, idempotencyKey, now),
    earlier: queryFirst(db, idRow)`
      select id from post_reports where post_id = ${postId} and reporter_id = ${viewer.userId}`,
    counted: readCount(db, allowance, now),
    reasons: queryRows(db, reasonRow)`
      select reason, count(*) as count from post_reports where post_id = ${postId} and closed_at is null group by reason`,
  });
  return { post, repeated, earlier, counted, reasons };
}

type NewReport = Reporting & {
  id: string;
  input: ReportInput;
  /** The notice to the author if this report hides the post. */
  message: PostStandingMessage;
  minAgeSeconds: number;
};

/**
 * Writes the report, opens a case, and hides the post if there are enough reports, in one transaction.
 * @returns whether the report was written, the post's id if the report hides it, and the ids of the notices to deliver.
 */
async function insertReport(db: Db, viewer: Viewer, report: NewReport) {
  const { id, postId, idempotencyKey, allowance, message, now } = report;
  const isMade = sql`exists (select 1 from post_reports where id = ${id})`;
  const isEnough = sql`(${isMade} and not ${isHiddenBy(postId, ['reports'])} and not ${isCleared(postId)} and (
    select count(*) from post_reports r where r.post_id = ${postId} and r.is_counted and r.closed_at is null
  ) >= ${REPORTS_THAT_HIDE})`;
  const posts = sql`select w.id from posts w where w.id = ${postId} and ${isEnough}`;
  const { made, toHide, hidden } = await publishAs(db, viewer, {
    reserveKey: reserveKey(db, viewer, idempotencyKey, id, now),
    insertReport: db.run(insertWhere(viewer, report)),
    count: countIf(db, allowance, isMade, now),
    releaseKey: releaseKey(db, viewer, idempotencyKey, id, isMade),
    made: firstOf(db.select({ id: postReports.id }).from(postReports).where(eq(postReports.id, id))),
    openCase: openCase(db, postId, isMade, now),
    keepNotice: keepNotice(db, { message, recipientId: authorOf(postId), condition: isEnough }, now),
    logAction: logAction(
      db,
      { actor: null, action: 'hide', targetType: 'post', targetId: postId, reason: message.reason },
      now,
      isEnough,
    ),
    toHide: queryRows(db, idRow)`${posts}`,
    hidden: hidePosts(db, posts, ['reports'], now, sql`${message.reason}`),
  });
  const noticeIds = [message.id, ...idsOf([...hidden.paused, ...hidden.withdrawn])];
  return { isMade: made !== undefined, hiddenPosts: idsOf(toHide), noticeIds };
}

/**
 * SQL: inserts the report. It counts towards hiding the post only if the reporter now has a proven phone number, an
 * account that is old enough, and no claim on the post.
 */
function insertWhere(
  viewer: Viewer,
  { id, postId, input, idempotencyKey, allowance, minAgeSeconds, now }: NewReport,
): SQL {
  const me = idOf(viewer);
  const isCounted = sql`(${hasProvenNumber(me)} and exists (
    select 1 from users a where a.id = ${me} and a.created_at < ${now - minAgeSeconds * 1000})
    and not exists (select 1 from claims k where k.post_id = ${postId} and k.claimant_id = ${me}))`;
  return sql`
    insert into post_reports (id, post_id, author_id, reporter_id, reason, text, is_counted, created_at)
    select ${id}, p.id, p.author_id, ${me}, ${input.reason}, ${input.text}, ${isCounted}, ${now} from posts p
    where p.id = ${postId} and p.author_id <> ${me} and ${isOpenedBy('p', me)}
      and ${hasReservedKey(viewer, idempotencyKey, id)} and ${hasRoom(allowance, now)}
    on conflict (post_id, reporter_id) do nothing`;
}

/**
 * Condition: a post or claim of the person is reported, and nobody has decided yet. @param userId a value or a column.
 */
export function isUnderReport(userId: SQL): SQL {
  return sql`(exists (select 1 from post_reports r where r.author_id = ${userId} and r.closed_at is null) or exists (
    select 1 from claim_reports r where r.id in (${claimReportsOn(userId)}) and r.closed_at is null))`;
}

/**
 * Select: the ids of the reports by other parties on claims in which the person is the finder or the claimant.
 * @param userId a value or a column.
 */
export function claimReportsOn(userId: SQL): SQL {
  return sql`
    select r.id from claims k cross join claim_reports r on r.claim_id = k.id
    where (k.finder_id = ${userId} or k.claimant_id = ${userId}) and r.reporter_id is not ${userId}`;
}
