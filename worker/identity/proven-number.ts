import { type SQL, sql } from 'drizzle-orm';

/** Condition: the person has proven that the WhatsApp number is theirs. @param userId a value or a column. */
export function hasProvenNumber(userId: SQL): SQL {
  return sql`exists (select 1 from phone_numbers n where n.user_id = ${userId} and n.proven_at is not null)`;
}
