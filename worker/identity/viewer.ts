import { type SQL, sql } from 'drizzle-orm';

/** An account and its token version: tokens with a lower version are revoked. */
export type AccountVersion = { userId: string; tokenVersion: number };

/**
 * The person who sends the request, according to the token, and their session. A session begins when the person signs
 * in and stays the same when its token is renewed. `readAs` and `writeAs` refuse revoked tokens and ended sessions.
 */
export type Viewer = AccountVersion & { sessionId: string };

/** A viewer with their session's end, in milliseconds. */
export type SessionViewer = Viewer & { sessionEndsAt: number };

/** Condition on a row of `users`: an unsuspended platform admin. Only these have admin rights (docs/product.md V37). */
export function isActingAdmin(user: 'a' | 'o' | 'u'): SQL {
  return sql.raw(`(${user}.is_platform_admin and ${user}.suspended_at is null)`);
}

/** Condition: the person is an unsuspended platform admin. @param userId a value or a column. */
export function isPlatformAdmin(userId: SQL): SQL {
  return sql`exists (select 1 from users a where a.id = ${userId} and ${isActingAdmin('a')})`;
}
