import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { DAY_MS } from '#contract/durations.ts';
import { NUMBER_KEPT_DAYS } from '#contract/limits.ts';
import type { Db, Handle } from '#worker/db/client.ts';
import { queryRows, type RowOf } from '#worker/db/rows.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { endResetCodes } from '#worker/whatsapp/index.ts';

const KEPT_MS = NUMBER_KEPT_DAYS * DAY_MS;

/** Evidence that a number is somebody's own: a correct code, or a message that came from it. */
export type Evidence = { record: 'number_codes' | 'number_proofs'; id: string; number: string };
/** Assigns a number to an account, which uses up the evidence. */
export type Taking = { evidence: Evidence; userId: string; now: number };

/**
 * Statements, in this order: use up the evidence, unless it was used before or somebody else has proven the number; then
 * release the number from its previous holder, and the account from its previous number. The latter depend on the former.
 */
export function endFormerHold(db: Handle, { evidence, userId, now }: Taking) {
  const { id, number } = evidence;
  // Numbers are reassigned to new people: after some time a code that reached the number outweighs an old proof.
  const since = evidence.record === 'number_codes' ? now - KEPT_MS : 0;
  const isConcerned = sql`(number = ${number} or user_id = ${userId}) and ${hasClaimed({ evidence, userId })}`;
  const holders = sql`select user_id from phone_numbers where ${isConcerned}`;
  return [
    db.run(sql`
      update ${sql.raw(evidence.record)} set used_by = ${userId}
      where id = ${id} and used_by is null and not exists (
        select 1 from phone_numbers n join users u on u.id = n.user_id
        where n.number = ${number} and n.user_id <> ${userId} and (n.proven_at > ${since} or u.closed_at is not null))`),
    endResetCodes(db, holders, now),
    db.run(sql`delete from phone_numbers where ${isConcerned}`),
  ] as const;
}

/** Condition: the evidence was used for this account. */
export function hasClaimed({ evidence, userId }: Pick<Taking, 'evidence' | 'userId'>): SQL {
  return sql`exists (select 1 from ${sql.raw(evidence.record)} where id = ${evidence.id} and used_by = ${userId})`;
}

/** Statement: assigns the proven number to the account, if the evidence was used for it. */
export function insertNumber(db: Handle, taking: Taking) {
  return db.run(sql`
    insert into phone_numbers (number, user_id, proven_at)
    select ${taking.evidence.number}, ${taking.userId}, ${taking.now} where ${hasClaimed(taking)}`);
}

const takingRow = () => z.object({ used_by: z.nullable(z.string()) });

/** Statement: which account the evidence was used for, for `assertTaken`. */
export function readTaking(db: Db, { evidence: { record, id } }: Taking) {
  return queryRows(db, takingRow)`select used_by from ${sql.raw(record)} where id = ${id}`;
}

/**
 * @throws AppError invalid_code when another account has used the evidence, phone_taken when somebody has proven the
 * number.
 */
export function assertTaken(row: RowOf<typeof takingRow> | undefined, { userId }: Taking): void {
  if (row?.used_by === userId) return;
  throw new AppError(row?.used_by === null ? 'phone_taken' : 'invalid_code');
}
