import { type SQL, sql } from 'drizzle-orm';

/** An account and its token version: tokens with a lower version are revoked. */
export type AccountVersion = { userId: string; tokenVersion: number };

/**
 * Who is asking, according to their token, and in which session. A session lasts from one sign-in on, however often its
 * token is renewed. The batch that reads for the viewer checks that neither has been revoked (`readAs`).
 */
export type Viewer = AccountVersion & { sessionId: string };

/** A viewer with their session's end, in milliseconds. */
export type SessionViewer = Viewer & { sessionEndsAt: number };

/** Condition on a row of `users`: a platform admin (docs/product.md V37). A suspended one can do nothing as an admin and does not count as one. */
export function isActingAdmin(user: 'a' | 'o' | 'u'): SQL {
  return sql.raw(`(${user}.is_platform_admin and ${user}.suspended_at is null)`);
}

/** Condition: the person is a platform admin. @param userId a value or a column. */
export function isPlatformAdmin(userId: SQL): SQL {
  return sql`exists (select 1 from users a where a.id = ${userId} and ${isActingAdmin('a')})`;
}
