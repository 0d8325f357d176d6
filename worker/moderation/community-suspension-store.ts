import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { CommunityStandingMessage } from '#contract/live-messages.ts';
import { type Db, publishAsPlatformAdmin } from '#worker/db/client.ts';
import { readAsPlatformAdmin } from '#worker/db/platform-admin.ts';
import { flag, idRow, idsOf, queryRows } from '#worker/db/rows.ts';
import { PURGED_AT_ONCE } from '#worker/http/edge-cache.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import type { Aftermath } from './decide-store.ts';
import { hidePosts, restorePosts } from './hide-posts.ts';
import { logAction } from './log-store.ts';

/** How many notices the request itself delivers; the sweep delivers the rest. */
const TOLD_AT_ONCE = 50;

const standingRow = () => z.object({ id: z.string(), is_approved: flag() });

/** @returns the community, if it exists. @throws AppError forbidden unless the viewer is a platform admin. */
export async function findCommunityStanding(db: Db, viewer: Viewer, id: string) {
  const [[row]] = await readAsPlatformAdmin(db, viewer, [
    queryRows(db, standingRow)`select id, approval_status = 1 as is_approved from communities where id = ${id}`,
  ]);
  return row;
}

/**
 * Hides all posts of the community, stops joining and posting, and notifies its admins, in one transaction. It is
 * idempotent.
 */
export async function suspendCommunity(db: Db, viewer: Viewer, id: string, reason: string): Promise<Aftermath> {
  const now = Date.now();
  const isDue = standing(id, sql`w.suspended_at is null`);
  const posts = sql`select s.id from posts s where s.community_id = ${id} and ${isDue}`;
  const [, told, hidden, paused, , withdrawn] = await publishAsPlatformAdmin(db, viewer, [
    logAction(db, { actor: viewer, action: 'suspend', targetType: 'community', targetId: id, reason }, now, isDue),
    tellItsAdmins(db, id, { type: 'community_suspended', reason, isDue, now }),
    queryRows(db, idRow)`${posts} order by s.seq desc limit ${PURGED_AT_ONCE}`,
    ...hidePosts(db, posts, ['community_suspension'], now),
    db.run(sql`
      update communities set suspended_at = ${now}, suspension_reason = ${reason} where id = ${id} and ${isDue}`),
  ]);
  const noticeIds = idsOf([...told, ...paused, ...withdrawn]).slice(0, TOLD_AT_ONCE);
  return { noticeIds, postsToMatch: [], hiddenPosts: idsOf(hidden) };
}

/** Restores the community's posts, unless something else hides them, and notifies its admins. It is idempotent. */
export async function reinstateCommunity(
  db: Db,
  viewer: Viewer,
  id: string,
  reason: string | null,
): Promise<Aftermath> {
  const now = Date.now();
  const isDue = standing(id, sql`w.suspended_at is not null`);
  const posts = sql`select s.id from posts s where s.community_id = ${id} and ${isDue}`;
  const [, told, restored] = await publishAsPlatformAdmin(db, viewer, [
    logAction(db, { actor: viewer, action: 'reinstate', targetType: 'community', targetId: id, reason }, now, isDue),
    tellItsAdmins(db, id, { type: 'community_reinstated', reason, isDue, now }),
    restorePosts(db, posts, ['community_suspension'], now),
    db.run(sql`update communities set suspended_at = null, suspension_reason = null where id = ${id}`),
  ]);
  return { noticeIds: idsOf(told).slice(0, TOLD_AT_ONCE), postsToMatch: idsOf(restored) };
}

function standing(id: string, condition: SQL): SQL {
  return sql`exists (select 1 from communities w where w.id = ${id} and w.approval_status = 1 and ${condition})`;
}

type StandingNotice = { type: CommunityStandingMessage['type']; reason: string | null; isDue: SQL; now: number };

/** Statement: notifies the community's admins, if the condition holds. */
function tellItsAdmins(db: Db, id: string, { type, reason, isDue, now }: StandingNotice) {
  return queryRows(db, idRow)`
    with made as materialized (
      select lower(hex(randomblob(16))) as id, m.user_id, c.id as community_id, c.name
      from communities c cross join memberships m on m.community_id = c.id and m.role = 'admin'
      where c.id = ${id} and ${isDue})
    insert into notices (id, recipient_id, type, body, created_at)
    select id, user_id, ${type}, json_object('type', ${type}, 'id', id, 'community_id', community_id, 'name', name,
      'reason', ${reason}, 'created_at', ${new Date(now).toISOString()}), ${now}
    from made returning id`;
}
