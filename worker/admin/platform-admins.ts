import { eq, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { type PlatformAdmin, platformAdminSchema } from '#contract/admin.ts';
import { endAdminRole } from '#worker/accounts/suspend-person.ts';
import { IS_DISPENSABLE } from '#worker/conditions/people.ts';
import { type Db, publishAsPlatformAdmin } from '#worker/db/client.ts';
import { firstOf, flag, queryRows, readAsPlatformAdmin } from '#worker/db/statements.ts';
import { users } from '#worker/db/tables/people.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { logAction } from '#worker/moderation/moderation-log.ts';

const adminRow = () => z.object({ ...platformAdminSchema.shape, is_suspended: flag(), granted_at: z.number() });

/** Lists the platform admins, longest-standing first. */
export async function listAdmins(db: Db, viewer: Viewer): Promise<PlatformAdmin[]> {
  const { admins } = await readAsPlatformAdmin(db, viewer, {
    admins: queryRows(db, adminRow)`
      select id, username, email, suspended_at is not null as is_suspended,
        coalesce(platform_admin_since, created_at) as granted_at
      from users where is_platform_admin order by granted_at, id`,
  });
  return admins.map((row) => ({
    ...row,
    is_suspended: row.is_suspended === 1,
    granted_at: new Date(row.granted_at).toISOString(),
  }));
}

/** Whether the account exists. @throws AppError forbidden unless the viewer is a platform admin. */
export async function isAccount(db: Db, viewer: Viewer, userId: string): Promise<boolean> {
  const { accounts } = await readAsPlatformAdmin(db, viewer, {
    accounts: db.select({ id: users.id }).from(users).where(eq(users.id, userId)),
  });
  return accounts.length > 0;
}

/**
 * Revokes the person's role as platform admin, and deletes the passkey confirmations of their sessions. Idempotent.
 * @returns false if the platform would have no unsuspended admin left.
 */
export async function revokeAdmin(db: Db, viewer: Viewer, userId: string): Promise<boolean> {
  // Every statement contains this condition, so that only one of two concurrent revocations has an effect.
  const isDue = sql`exists (
    select 1 from users u where u.id = ${userId} and u.is_platform_admin and ${IS_DISPENSABLE})`;
  const event = { actor: viewer, action: 'revoke_admin', targetType: 'user', targetId: userId, reason: null } as const;
  const { person } = await publishAsPlatformAdmin(db, viewer, {
    logAction: logAction(db, event, Date.now(), isDue),
    endRole: endAdminRole(db, userId, isDue),
    person: firstOf(db.select({ isAdmin: users.isPlatformAdmin }).from(users).where(eq(users.id, userId))),
  });
  return !person?.isAdmin;
}
