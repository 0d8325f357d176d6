import { type SQL, sql } from 'drizzle-orm';

/** Condition: the person has proven that the e-mail address is theirs. @param userId a value or a column. */
export function hasProvenEmail(userId: SQL): SQL {
  return sql`exists (select 1 from users e where e.id = ${userId} and e.email_proven_at is not null)`;
}
