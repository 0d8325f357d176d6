import { eq, type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { type Db, publishAsPlatformAdmin } from '#worker/db/client.ts';
import { flag, idRow, idsOf, queryFirst, queryRows, readAsPlatformAdmin } from '#worker/db/statements.ts';
import { communities } from '#worker/db/tables/communities.ts';
import { PURGED_AT_ONCE } from '#worker/http/edge-cache.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import type { DecisionEffects } from '#worker/moderation/cases.ts';
import { logAction } from '#worker/moderation/moderation-log.ts';
import { notifyCommunityAdmins } from '#worker/notices/keep-notice.ts';
import { hidePosts, restorePosts } from '#worker/posts/post-states.ts';

/**
 * How many notices the request to suspend or reinstate a community delivers. The scheduled sweep delivers the others
 * within a minute.
 */
const TOLD_AT_ONCE = 50;

const standingRow = () => z.object({ id: z.string(), is_approved: flag() });

/** @returns the community, if it exists. @throws AppError forbidden unless the viewer is a platform admin. */
export async function findCommunityStanding(db: Db, viewer: Viewer, id: string) {
  const { community } = await readAsPlatformAdmin(db, viewer, {
    community: queryFirst(db, standingRow)`
      select id, approval_status = 1 as is_approved from communities where id = ${id}`,
  });
  return community;
}

/**
 * Suspends the community in one transaction: hides its posts and notifies its admins. Nobody can join a suspended
 * community, and only its admins can post into it. Idempotent.
 */
export async function suspendCommunity(db: Db, viewer: Viewer, id: string, reason: string): Promise<DecisionEffects> {
  const now = Date.now();
  const isDue = standing(id, sql`w.suspended_at is null`);
  const posts = sql`select s.id from posts s where s.community_id = ${id} and ${isDue}`;
  const { notified, toHide, hidden } = await publishAsPlatformAdmin(db, viewer, {
    logAction: logAction(
      db,
      { actor: viewer, action: 'suspend', targetType: 'community', targetId: id, reason },
      now,
      isDue,
    ),
    notified: notifyCommunityAdmins(db, id, { type: 'community_suspended', reason }, isDue, now),
    toHide: queryRows(db, idRow)`${posts} order by s.seq desc limit ${PURGED_AT_ONCE}`,
    hidden: hidePosts(db, posts, ['community_suspension'], now),
    updateCommunities: db.run(sql`
      update communities set suspended_at = ${now}, suspension_reason = ${reason} where id = ${id} and ${isDue}`),
  });
  const noticeIds = idsOf([...notified, ...hidden.paused, ...hidden.withdrawn]).slice(0, TOLD_AT_ONCE);
  return { noticeIds, postsToMatch: [], hiddenPosts: idsOf(toHide) };
}

/** Restores the community's posts, unless something else hides them, and notifies its admins. Idempotent. */
export async function reinstateCommunity(
  db: Db,
  viewer: Viewer,
  id: string,
  reason: string | null,
): Promise<DecisionEffects> {
  const now = Date.now();
  const isDue = standing(id, sql`w.suspended_at is not null`);
  const posts = sql`select s.id from posts s where s.community_id = ${id} and ${isDue}`;
  const { notified, restored } = await publishAsPlatformAdmin(db, viewer, {
    logAction: logAction(
      db,
      { actor: viewer, action: 'reinstate', targetType: 'community', targetId: id, reason },
      now,
      isDue,
    ),
    notified: notifyCommunityAdmins(db, id, { type: 'community_reinstated', reason }, isDue, now),
    restored: restorePosts(db, posts, ['community_suspension'], now),
    updateCommunities: db
      .update(communities)
      .set({ suspendedAt: null, suspensionReason: null })
      .where(eq(communities.id, id)),
  });
  return { noticeIds: idsOf(notified).slice(0, TOLD_AT_ONCE), postsToMatch: idsOf(restored) };
}

function standing(id: string, condition: SQL): SQL {
  return sql`exists (select 1 from communities w where w.id = ${id} and w.approval_status = 1 and ${condition})`;
}
