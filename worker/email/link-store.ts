import { type SQL, sql } from 'drizzle-orm';
import { type Db, violatedUniqueColumn, writeAs } from '#worker/db/client.ts';
import { idRow, queryRows } from '#worker/db/rows.ts';
import { emailLinks } from '#worker/db/schema.ts';
import { emailKey } from '#worker/identity/email-key.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { type Allowance, countIf, countOne, isWithin } from '#worker/limits/allowance.ts';
import { LINK_LIFETIME_MS } from './link-rules.ts';

export type NewLink = { id: string; userId: string; email: string; tokenDigest: string; origin: string };

/** Statements for the batch that creates an account: its first link, if the account was created and the limit allows it. */
export function insertFirstLink(db: Db, link: NewLink, toAddress: Allowance, now: number) {
  const isMade = sql`exists (select 1 from users where id = ${link.userId})`;
  return [
    countIf(db, toAddress, isMade, now),
    upsertLink(db, link, sql`${isMade} and ${isWithin(toAddress, now)}`, now),
  ] as const;
}

/**
 * Counts the request and, within both limits, stores its link, which replaces the previous one. An address that belongs
 * to another account gets none.
 */
export async function insertLink(
  db: Db,
  viewer: Viewer,
  { link, allowances: [byAccount, toAddress] }: { link: NewLink; allowances: readonly [Allowance, Allowance] },
  now: number,
) {
  const isFree = sql`not exists (
    select 1 from users where email_key = ${emailKey(link.email)} and id <> ${link.userId})`;
  const [[ofAccount], [ofAddress], made] = await writeAs(db, viewer, [
    countOne(db, byAccount, now),
    countOne(db, toAddress, now),
    upsertLink(db, link, sql`${isFree} and ${isWithin(byAccount, now)} and ${isWithin(toAddress, now)}`, now),
  ]);
  return { counted: [ofAccount, ofAddress] as const, isMade: made.length > 0 };
}

function upsertLink(db: Db, { id, userId, email, tokenDigest, origin }: NewLink, condition: SQL, now: number) {
  return queryRows(db, idRow)`
    insert into email_links (user_id, id, email, email_key, token_digest, origin, created_at)
    select ${userId}, ${id}, ${email}, ${emailKey(email)}, ${tokenDigest}, ${origin}, ${now} where ${condition}
    on conflict (user_id) do update set id = excluded.id, email = excluded.email, email_key = excluded.email_key,
      token_digest = excluded.token_digest, origin = excluded.origin, created_at = excluded.created_at
    returning id`;
}

/** Makes the link's address the account's, and uses up the link. @returns whether the link was valid. */
export async function redeemLink(db: Db, tokenDigest: string, now: number): Promise<boolean> {
  try {
    const [proven] = await db.batch([
      queryRows(db, idRow)`
        update users set email = l.email, email_key = l.email_key, email_proven_at = ${now}, email_origin = l.origin
        from email_links l
        where l.user_id = users.id and users.closed_at is null and l.token_digest = ${tokenDigest} and l.created_at > ${now - LINK_LIFETIME_MS}
        returning users.id as id`,
      db.run(sql`delete from ${emailLinks} where token_digest = ${tokenDigest}`),
    ]);
    return proven.length > 0;
  } catch (error) {
    // Somebody else has registered with the address since the link was sent.
    if (violatedUniqueColumn(error) === 'users.email_key') return false;
    throw error;
  }
}
