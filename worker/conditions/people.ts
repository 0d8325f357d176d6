import { type SQL, sql } from 'drizzle-orm';
import { isActingAdmin, type Viewer } from '#worker/identity/viewer.ts';

/** Condition: the person has proven that the WhatsApp number is theirs. @param userId a value or a column. */
export function hasProvenNumber(userId: SQL): SQL {
  return sql`exists (select 1 from phone_numbers n where n.user_id = ${userId} and n.proven_at is not null)`;
}

/** Condition: the person has proven that the e-mail address is theirs. @param userId a value or a column. */
export function hasProvenEmail(userId: SQL): SQL {
  return sql`exists (select 1 from users e where e.id = ${userId} and e.email_proven_at is not null)`;
}

/** Condition: neither person has blocked the other. */
export function areNotApart(one: SQL, other: SQL): SQL {
  const hasBlocked = (blocker: SQL, blocked: SQL) =>
    sql`exists (select 1 from blocks b where b.blocker_id = ${blocker} and b.blocked_id = ${blocked})`;
  return sql`not ${hasBlocked(one, other)} and not ${hasBlocked(other, one)}`;
}

/** The viewer's id for a statement; for a visitor an empty string, which is nobody's id. */
export function idOf(viewer: Viewer | null): SQL {
  return sql`${viewer?.userId ?? ''}`;
}

/** Condition on a row `u` of `users`: the person is not the only unsuspended platform admin. */
export const IS_DISPENSABLE = sql`(not ${isActingAdmin('u')} or exists (
  select 1 from users o where ${isActingAdmin('o')} and o.id <> u.id))`;
