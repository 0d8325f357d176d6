import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { DAY_MS, MINUTE_MS } from '#contract/durations.ts';
import { ERASURE_WAITS_DAYS } from '#contract/limits.ts';
import { closeClaimsOf, closeSilently } from '#worker/claims/index.ts';
import { hasOtherAdmin, leaveCommunities } from '#worker/communities/index.ts';
import { type Db, writeAs } from '#worker/db/client.ts';
import { nextTry } from '#worker/db/next-try.ts';
import { idRow, idsOf, queryRows, type RowOf } from '#worker/db/rows.ts';
import { endDevices } from '#worker/devices/index.ts';
import { IS_DISPENSABLE, isActingAdmin } from '#worker/identity/platform-admin.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { hidePosts, isUnderReport } from '#worker/moderation/index.ts';
import { listUndelivered } from '#worker/notices/index.ts';
import { endSubscriptionsOfUser } from '#worker/push/index.ts';

/** The sweep takes over what the request that closes an account has not finished within a minute. */
const GRACE_MS = MINUTE_MS;
const WAIT_MS = ERASURE_WAITS_DAYS * DAY_MS;

const erasureRow = () => z.object({ user_id: z.string(), erase_at: z.number() });
/** A closed account, and when it is erased. */
export type Erasure = RowOf<typeof erasureRow>;

/**
 * Closes the viewer's account in one transaction: revokes their tokens, hides their posts, removes them from communities,
 * and records that the account is to be erased. After that a crash loses nothing.
 * @returns the notices to deliver, or null when the platform would be left without an admin who is not suspended.
 */
export async function closeAccount(db: Db, viewer: Viewer, now: number) {
  const { userId } = viewer;
  const isClosing = sql`exists (select 1 from erasures e where e.user_id = ${userId})`;
  const posts = sql`select s.id from posts s where s.author_id = ${userId} and ${isClosing}`;
  const [, [erasure], told, , , withdrawn] = await writeAs(db, viewer, [
    db.run(sql`
      insert into erasures (user_id, erase_at, due_at)
      select u.id, iif(u.suspended_at is not null or ${isUnderReport(sql`u.id`)}, ${now + WAIT_MS}, ${now}), ${now + GRACE_MS}
      from users u where u.id = ${userId} and ${IS_DISPENSABLE}`),
    queryRows(db, erasureRow)`select user_id, erase_at from erasures where user_id = ${userId}`,
    tellOfLostAdmins(db, userId, isClosing, now),
    ...hidePosts(db, posts, ['closed_account'], now),
    ...closeClaimsOf(db, posts, now),
    ...closeSilently(db, sql`k.claimant_id = ${userId} and ${isClosing}`, now),
    ...leaveCommunities(db, userId, isClosing, now),
    endDevices(db, sql`user_id = ${userId} and ${isClosing}`, now),
    endSubscriptionsOfUser(db, sql`(select e.user_id from erasures e where e.user_id = ${userId})`),
    db.run(sql`
      update users set token_version = token_version + 1, closed_at = ${now}, is_platform_admin = 0,
        platform_admin_since = null
      where id = ${userId} and ${isClosing}`),
  ]);
  if (!erasure) return null;
  const ofClaims = await listUndelivered(db, sql`select k.id from claims k where k.finder_id = ${userId}`);
  return { erasure, noticeIds: idsOf([...told, ...withdrawn, ...ofClaims]) };
}

/** Statement: notifies the platform's admins of each community whose only admin is about to leave other members behind. */
function tellOfLostAdmins(db: Db, userId: string, condition: SQL, now: number) {
  return queryRows(db, idRow)`
    with made as materialized (
      select lower(hex(randomblob(16))) as id, a.id as admin_id, c.id as community_id, c.name
      from memberships m cross join communities c on c.id = m.community_id cross join users a
      where m.user_id = ${userId} and m.role = 'admin' and c.approval_status = 1 and c.member_count > 1
        and ${isActingAdmin('a')} and a.id <> ${userId} and ${condition}
        and not ${hasOtherAdmin(sql`c.id`, userId)})
    insert into notices (id, recipient_id, type, body, created_at)
    select id, admin_id, 'community_without_admin', json_object('type', 'community_without_admin', 'id', id,
      'community_id', community_id, 'name', name, 'created_at', ${new Date(now).toISOString()}), ${now}
    from made where true returning id`;
}

/** Claims the erasures that are due, and schedules their next try before this one is made. */
export function claimErasures(db: Db, now: number, limit: number): Promise<Erasure[]> {
  return queryRows(db, erasureRow)`
    update erasures set failures = failures + 1, due_at = ${nextTry(now, 'failures')}
    where user_id in (select user_id from erasures where due_at <= ${now} order by due_at limit ${limit})
    returning user_id, erase_at`;
}

/** Everything that can be done before the erasure is due has been done. */
export async function putOff(db: Db, { user_id, erase_at }: Erasure): Promise<void> {
  await db.repeatable.run(sql`update erasures set due_at = ${erase_at}, failures = 0 where user_id = ${user_id}`);
}

const suspendedRow = () => z.object({ email_key: z.string(), number: z.nullable(z.string()) });

/** The e-mail and number of a suspended person; undefined if they are not suspended. */
export async function findSuspended(db: Db, userId: string) {
  const [row] = await queryRows(db, suspendedRow)`
    select u.email_key, n.number from users u left join phone_numbers n on n.user_id = u.id
    where u.id = ${userId} and u.suspended_at is not null`;
  return row;
}
