import { sql } from 'drizzle-orm';
import { DECISION_UNDO_SECONDS } from '#contract/limits.ts';
import { type Db, publishAsPlatformAdmin } from '#worker/db/client.ts';
import { idRow, idsOf, queryRows } from '#worker/db/rows.ts';
import { newId } from '#worker/identity/ids.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { keepNotice } from '#worker/notices/index.ts';
import { readHiddenBy } from '#worker/posts/index.ts';
import { isAsDecided, reviveCase } from './case-store.ts';
import { type Aftermath, authorOf, isHiddenBy } from './decide-store.ts';
import { hidePosts, restorePosts } from './hide-posts.ts';
import { logAction } from './log-store.ts';
import { type JudgedPost, toStandingMessage } from './moderation-rules.ts';

/**
 * Undoes a decision of the last minutes, whoever made it: the case is open again, and the post hidden or visible as before.
 * @returns null when it is too late, or somebody has decided since.
 */
export async function undoDecision(db: Db, viewer: Viewer, post: JudgedPost): Promise<Aftermath | null> {
  const now = Date.now();
  const { id, since } = post;
  if (since === null || post.waiting_since_before === null || since < now - DECISION_UNDO_SECONDS * 1000) return null;
  const before = readHiddenBy(post.hidden_by_before ?? 0);
  const undo = post.decision === 'restored' ? hideAgain : showAgain;
  return undo(db, viewer, { post, before, decidedAt: since, now, isDue: isAsDecided(id, since) });
}

type Undoing = {
  post: JudgedPost;
  before: ReturnType<typeof readHiddenBy>;
  decidedAt: number;
  now: number;
  isDue: ReturnType<typeof isAsDecided>;
};

async function hideAgain(db: Db, viewer: Viewer, undoing: Undoing): Promise<Aftermath | null> {
  const { post, now, decidedAt, isDue } = undoing;
  const before = undoing.before.filter(
    (by) => by !== 'community_suspension' && (by !== 'suspension' || post.is_author_suspended === 1),
  );
  const reason = post.hidden_reason_before;
  const [by] = before;
  const message = toStandingMessage(post, { by: by ?? 'admin', reason }, { id: newId(), now });
  const [[undone], , , paused, , withdrawn] = await publishAsPlatformAdmin(db, viewer, [
    selectDue(db, undoing),
    logUndoing(db, viewer, undoing),
    keepNotice(db, { message, recipientId: authorOf(post.id), condition: by ? isDue : sql`false` }, now),
    ...hidePosts(db, by ? selectDuePost(undoing) : sql`null`, before, now, sql`${reason}`),
    ...reviveCase(db, post.id, decidedAt),
  ]);
  return undone
    ? { noticeIds: [message.id, ...idsOf([...paused, ...withdrawn])], postsToMatch: [], hiddenPosts: [post.id] }
    : null;
}

async function showAgain(db: Db, viewer: Viewer, undoing: Undoing): Promise<Aftermath | null> {
  const { post, before, now, decidedAt, isDue } = undoing;
  const message = toStandingMessage(post, null, { id: newId(), now });
  // Its community may have been suspended since.
  const isShown =
    before.length === 0 ? sql`(${isDue} and not ${isHiddenBy(post.id, ['community_suspension'])})` : sql`false`;
  const [[undone], , , restored] = await publishAsPlatformAdmin(db, viewer, [
    selectDue(db, undoing),
    logUndoing(db, viewer, undoing),
    keepNotice(db, { message, recipientId: authorOf(post.id), condition: isShown }, now),
    restorePosts(db, selectDuePost(undoing), before.includes('admin') ? [] : ['admin'], now),
    ...reviveCase(db, post.id, decidedAt),
  ]);
  return undone ? { noticeIds: [message.id], postsToMatch: idsOf(restored) } : null;
}

function selectDue(db: Db, undoing: Undoing) {
  return queryRows(db, idRow)`select w.id from posts w where w.id in (${selectDuePost(undoing)})`;
}

function selectDuePost({ post, isDue }: Undoing) {
  return sql`select w.post_id from moderation_cases w where w.post_id = ${post.id} and ${isDue}`;
}

function logUndoing(db: Db, viewer: Viewer, { post, now, isDue }: Undoing) {
  return logAction(
    db,
    { actor: viewer, action: 'undo', targetType: 'post', targetId: post.id, reason: null },
    now,
    isDue,
  );
}
