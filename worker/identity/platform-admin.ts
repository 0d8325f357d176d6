import { type SQL, sql } from 'drizzle-orm';

/** Condition on a row of `users`: a platform admin (docs/product.md V37). A suspended one can do nothing as an admin and does not count as one. */
export function isActingAdmin(user: 'a' | 'o' | 'u'): SQL {
  return sql.raw(`(${user}.is_platform_admin and ${user}.suspended_at is null)`);
}

/** Condition: the person is a platform admin. @param userId a value or a column. */
export function isPlatformAdmin(userId: SQL): SQL {
  return sql`exists (select 1 from users a where a.id = ${userId} and ${isActingAdmin('a')})`;
}

/** Condition on a row `u` of `users`: the platform has an admin without the person, or has none with them either. */
export const IS_DISPENSABLE = sql`(not ${isActingAdmin('u')} or exists (
  select 1 from users o where ${isActingAdmin('o')} and o.id <> u.id))`;
