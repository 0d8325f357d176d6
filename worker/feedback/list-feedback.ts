import { eq, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { type FeedbackEntry, type FeedbackListQuery, feedbackEntrySchema } from '#contract/admin.ts';
import { type Db, publishAsPlatformAdmin } from '#worker/db/client.ts';
import { firstOf, queryRows, type RowOf, readAsPlatformAdmin } from '#worker/db/statements.ts';
import { feedback } from '#worker/db/tables/operating.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { logAction } from '#worker/moderation/moderation-log.ts';

const STATES = { open: sql.raw('and done_at is null'), done: sql.raw('and done_at is not null') } as const;

/** Reads a page of the feedback inbox, newest first. */
export async function listFeedback(db: Db, viewer: Viewer, { state, cursor, limit }: FeedbackListQuery) {
  const { messages } = await readAsPlatformAdmin(db, viewer, {
    messages: queryRows(db, feedbackRow)`
      select seq, id, email, message, created_at, done_at from feedback
      where seq < ${cursor === undefined ? Number.MAX_SAFE_INTEGER : Number(cursor)}
        ${state === undefined ? sql`` : STATES[state]} order by seq desc limit ${limit + 1}`,
  });
  const shown = messages.slice(0, limit);
  return { rows: shown, nextCursor: messages.length > limit ? (shown.at(-1)?.seq ?? null) : null };
}

/** @returns the feedback, if it exists. @throws AppError forbidden unless the viewer is a platform admin. */
export async function findFeedback(db: Db, viewer: Viewer, id: string) {
  const { row } = await readAsPlatformAdmin(db, viewer, {
    row: firstOf(db.select({ id: feedback.id }).from(feedback).where(eq(feedback.id, id))),
  });
  return row;
}

/** Marks feedback as done. Idempotent. */
export async function finishFeedback(db: Db, viewer: Viewer, id: string): Promise<void> {
  const now = Date.now();
  const isDue = sql`exists (select 1 from feedback w where w.id = ${id} and w.done_at is null)`;
  const event = { actor: viewer, action: 'feedback_done', targetType: 'feedback', targetId: id, reason: null } as const;
  await publishAsPlatformAdmin(db, viewer, {
    logAction: logAction(db, event, now, isDue),
    updateFeedback: db.run(sql`update feedback set done_at = ${now} where id = ${id} and done_at is null`),
  });
}

const feedbackRow = () =>
  z.object({ ...feedbackEntrySchema.shape, seq: z.number(), created_at: z.number(), done_at: z.nullable(z.number()) });
type FeedbackRow = RowOf<typeof feedbackRow>;

export function presentFeedback({ id, email, message, created_at, done_at }: FeedbackRow): FeedbackEntry {
  return {
    id,
    email,
    message,
    created_at: new Date(created_at).toISOString(),
    done_at: done_at === null ? null : new Date(done_at).toISOString(),
  };
}
