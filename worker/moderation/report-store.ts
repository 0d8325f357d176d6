import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { REPORTS_THAT_HIDE } from '#contract/limits.ts';
import type { PostStandingMessage } from '#contract/live-messages.ts';
import type { ReportInput } from '#contract/moderation.ts';
import { REPORT_REASONS } from '#contract/report-reasons.ts';
import { type Db, publishAs, readAs } from '#worker/db/client.ts';
import { claimKey, hasClaimed, type IdempotencyKey, releaseKey, selectMade } from '#worker/db/idempotency.ts';
import { idRow, idsOf, queryRows } from '#worker/db/rows.ts';
import { hasProvenNumber } from '#worker/identity/proven-number.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { type Allowance, countIf, hasRoom, readCount } from '#worker/limits/allowance.ts';
import { keepNotice } from '#worker/notices/index.ts';
import { idOf, isOpenedBy, selectPost } from '#worker/posts/index.ts';
import { isCleared, openCase } from './case-store.ts';
import { authorOf, isHiddenBy } from './decide-store.ts';
import { hidePosts } from './hide-posts.ts';
import { logAction } from './log-store.ts';

const reasonRow = () => z.object({ reason: z.enum(REPORT_REASONS), count: z.number() });

export type Reporting = {
  postId: string;
  idempotencyKey: IdempotencyKey | null;
  allowance: Allowance;
  now: number;
};

/** Reads everything that is needed before a post is reported, in one round trip. */
export async function readForReport(db: Db, viewer: Viewer, { postId, idempotencyKey, allowance, now }: Reporting) {
  const [[post], [repeated], [earlier], [counted], reasons] = await readAs(db, viewer, [
    selectPost(db, viewer, postId),
    selectMade(db, viewer, idempotencyKey, now),
    queryRows(db, idRow)`select id from post_reports where post_id = ${postId} and reporter_id = ${viewer.userId}`,
    readCount(db, allowance, now),
    queryRows(db, reasonRow)`
      select reason, count(*) as count from post_reports where post_id = ${postId} and closed_at is null group by reason`,
  ]);
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
 * @returns whether it was written, the post if that hides it, and the ids of the notices to deliver.
 */
export async function insertReport(db: Db, viewer: Viewer, report: NewReport) {
  const { id, postId, idempotencyKey, allowance, message, now } = report;
  const isMade = sql`exists (select 1 from post_reports where id = ${id})`;
  const isEnough = sql`(${isMade} and not ${isHiddenBy(postId, ['reports'])} and not ${isCleared(postId)} and (
    select count(*) from post_reports r where r.post_id = ${postId} and r.is_counted and r.closed_at is null
  ) >= ${REPORTS_THAT_HIDE})`;
  const posts = sql`select w.id from posts w where w.id = ${postId} and ${isEnough}`;
  const [, , , , [made], , , , hidden, paused, , withdrawn] = await publishAs(db, viewer, [
    claimKey(db, viewer, idempotencyKey, id, now),
    db.run(insertWhere(viewer, report)),
    countIf(db, allowance, isMade, now),
    releaseKey(db, viewer, idempotencyKey, id, isMade),
    queryRows(db, idRow)`select id from post_reports where id = ${id}`,
    openCase(db, postId, isMade, now),
    keepNotice(db, { message, recipientId: authorOf(postId), condition: isEnough }, now),
    logAction(
      db,
      { actor: null, action: 'hide', targetType: 'post', targetId: postId, reason: message.reason },
      now,
      isEnough,
    ),
    queryRows(db, idRow)`${posts}`,
    ...hidePosts(db, posts, ['reports'], now, sql`${message.reason}`),
  ]);
  const noticeIds = [message.id, ...idsOf([...paused, ...withdrawn])];
  return { isMade: made !== undefined, hiddenPosts: idsOf(hidden), noticeIds };
}

/** Whether the report counts towards hiding depends on its reporter now. Rival claimants do not count: they are biased. */
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
      and ${hasClaimed(viewer, idempotencyKey, id)} and ${hasRoom(allowance, now)}
    on conflict (post_id, reporter_id) do nothing`;
}

/** Condition: there is an undecided report on a post or a claim of the person's. @param userId a value or a column. */
export function isUnderReport(userId: SQL): SQL {
  return sql`(exists (select 1 from post_reports r where r.author_id = ${userId} and r.closed_at is null) or exists (
    select 1 from claim_reports r where r.id in (${claimReportsOn(userId)}) and r.closed_at is null))`;
}

/** Select: the ids of the reports on the person's claims by the other of the two. @param userId a value or a column. */
export function claimReportsOn(userId: SQL): SQL {
  return sql`
    select r.id from claims k cross join claim_reports r on r.claim_id = k.id
    where (k.finder_id = ${userId} or k.claimant_id = ${userId}) and r.reporter_id is not ${userId}`;
}
