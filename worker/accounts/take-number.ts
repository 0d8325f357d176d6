import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Me } from '#contract/accounts.ts';
import { DAY_MS } from '#contract/durations.ts';
import type { NumberCodeKind } from '#contract/jobs.ts';
import { NUMBER_KEPT_DAYS } from '#contract/limits.ts';
import type { NumberEvidence } from '#contract/recovery.ts';
import { type Db, type Handle, writeAs } from '#worker/db/client.ts';
import { queryFirst, type RowOf } from '#worker/db/statements.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { type AppContext, clientAddress } from '#worker/http/context.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { allowanceOf, allowancesOf, assertRoom } from '#worker/limits/allowance.ts';
import { codesToNumber, recipientsOfAddress } from '#worker/limits/attempts.ts';
import { refuseBarredNumber } from '#worker/limits/bars.ts';
import { endResetCodes } from '#worker/recovery/reset-code.ts';
import { readMe } from './me.ts';
import { digestCode, judgeGuess, sendCode } from './prove-by-code.ts';
import { findProof, PROOF_LIFETIME_MS, readProofId } from './prove-by-message.ts';
import { assertCurrentPassword } from './sign-in.ts';

/**
 * What a verification code has to prove. `subject`: the phone number, or the id of the user who changes their phone
 * number. `address`: the guesser's IP address; null if only the signed-in user can guess.
 */
type Asked = { kind: NumberCodeKind; subject: string; address: string | null };

/**
 * Sends a verification code to the phone number that the viewer wants to change to.
 * @throws AppError suspended for a barred phone number, and what `assertCurrentPassword` and `sendCode` throw.
 */
export async function sendChangingCode(
  c: AppContext,
  viewer: Viewer,
  { whatsapp_number: number, current_password }: { whatsapp_number: string; current_password: string },
): Promise<void> {
  const { config, db } = c.var;
  await assertCurrentPassword(c, viewer, current_password);
  const now = Date.now();
  await refuseBarredNumber(db, config, number, now);
  const { language } = await readMe(c.var, viewer);
  const turns = [
    allowanceOf(config, 'change_request', number),
    allowanceOf(config, 'change_account', viewer.userId),
    ...codesToNumber(config, number),
    ...recipientsOfAddress(config, clientAddress(c), number, now),
  ];
  await sendCode(c, { kind: 'change_number', subject: viewer.userId, number, language, turns });
}

/**
 * Replaces the viewer's phone number by the proven one. @returns the changed account.
 * @throws AppError invalid_code, suspended for a barred number, and what the checks of password and evidence throw.
 */
export async function changeNumber(
  c: AppContext,
  viewer: Viewer,
  { current_password, ...brought }: NumberEvidence & { current_password?: string | null | undefined },
): Promise<Me> {
  const { config, db } = c.var;
  const now = Date.now();
  // Checks the token before the code, so that requests with a revoked token do not count as guesses at the code.
  if (brought.number_proof === null) await readMe(c.var, viewer);
  else await assertCurrentPassword(c, viewer, current_password ?? '');
  const evidence = await judgeEvidence(
    c,
    brought,
    { kind: 'change_number', subject: viewer.userId, address: null },
    now,
  );
  if (!evidence) throw new AppError('invalid_code');
  await refuseBarredNumber(db, config, evidence.number, now);
  await replaceNumber(db, viewer, evidence, now);
  return readMe(c.var, viewer);
}

/**
 * Checks the evidence that a phone number is the person's own: a proof by message, or a verification code.
 * @returns null if neither is given.
 * @throws AppError invalid_code, code_expired or too_many_requests.
 */
export async function judgeEvidence(
  c: AppContext,
  { number_proof, verification_code }: NumberEvidence,
  asked: Asked,
  now: number,
): Promise<Evidence | null> {
  if (number_proof !== null) return judgeProof(c, number_proof, now);
  return verification_code === null ? null : judgeCode(c, verification_code, asked, now);
}

async function judgeProof(c: AppContext, proof: string, now: number): Promise<Evidence> {
  const id = readProofId(c.var.config.keys.code, proof);
  const row = id === null ? undefined : await findProof(c.var.db, id);
  if (!row || row.proven_at === null || row.used_by !== null) throw new AppError('invalid_code');
  if (row.proven_at <= now - PROOF_LIFETIME_MS) throw new AppError('code_expired');
  return { record: 'number_proofs', id: row.id, number: row.number };
}

async function judgeCode(c: AppContext, code: string, { kind, subject, address }: Asked, now: number) {
  const { config, db } = c.var;
  const guessed = `${kind} ${subject}`;
  const bySubject = allowanceOf(config, 'number_code_guess', guessed);
  const { judged, hasExpired, counted } = await judgeGuess(db, {
    kind,
    subject,
    codeDigest: digestCode(config.keys.code, { kind, subject }, code),
    byGuesser:
      address === null
        ? [allowanceOf(config, 'number_code_try', guessed)]
        : allowancesOf(config, 'number_code_try', address, guessed),
    bySubject,
    now,
  });
  if (judged?.is_right === 1)
    return { record: 'number_codes', id: judged.id, number: judged.number } satisfies Evidence;
  if (!judged) assertRoom(bySubject, counted, now);
  throw new AppError(hasExpired ? 'code_expired' : 'invalid_code');
}

/** Replaces the viewer's phone number. @throws any error of `assertTaken`. */
async function replaceNumber(db: Db, viewer: Viewer, evidence: Evidence, now: number): Promise<void> {
  const newNumber = { evidence, userId: viewer.userId, now };
  const { taken } = await writeAs(db, viewer, {
    formerHold: endFormerHold(db, newNumber),
    insertNumber: insertNumber(db, newNumber),
    taken: selectUsedBy(db, newNumber),
  });
  assertTaken(taken, newNumber);
}

const KEPT_MS = NUMBER_KEPT_DAYS * DAY_MS;

/** Evidence that a phone number is the person's own: a correct code, or a message that came from the number. */
export type Evidence = { record: 'number_codes' | 'number_proofs'; id: string; number: string };
/** A phone number and the account that gets the number. The assignment uses up the evidence. */
type NewNumber = { evidence: Evidence; userId: string; now: number };

/**
 * Statements: use up the evidence for the account `userId`, unless the evidence was used before or another account may
 * keep the number. If the evidence is used up, the statements also take the number from the account that had it, and
 * delete the old number of `userId`.
 */
export function endFormerHold(db: Handle, { evidence, userId, now }: NewNumber) {
  const { id, number } = evidence;
  // Phone companies reassign numbers. A code that has just reached the number therefore overrides another person's
  // proof that is older than `KEPT_MS`.
  const since = evidence.record === 'number_codes' ? now - KEPT_MS : 0;
  const isConcerned = sql`(number = ${number} or user_id = ${userId}) and ${hasReservedNumber({ evidence, userId })}`;
  const holders = sql`select user_id from phone_numbers where ${isConcerned}`;
  return {
    useEvidence: db.run(sql`
      update ${sql.raw(evidence.record)} set used_by = ${userId}
      where id = ${id} and used_by is null and not exists (
        select 1 from phone_numbers n join users u on u.id = n.user_id
        where n.number = ${number} and n.user_id <> ${userId} and (n.proven_at > ${since} or u.closed_at is not null))`),
    endResetCodes: endResetCodes(db, holders, now),
    deleteNumbers: db.run(sql`delete from phone_numbers where ${isConcerned}`),
  };
}

/** Condition: the evidence was used for this account. */
export function hasReservedNumber({ evidence, userId }: Pick<NewNumber, 'evidence' | 'userId'>): SQL {
  return sql`exists (select 1 from ${sql.raw(evidence.record)} where id = ${evidence.id} and used_by = ${userId})`;
}

/** Statement: assigns the proven phone number to the account, if the evidence was used for this account. */
export function insertNumber(db: Handle, newNumber: NewNumber) {
  return db.run(sql`
    insert into phone_numbers (number, user_id, proven_at)
    select ${newNumber.evidence.number}, ${newNumber.userId}, ${newNumber.now} where ${hasReservedNumber(newNumber)}`);
}

const usedByRow = () => z.object({ used_by: z.nullable(z.string()) });

/** Statement: returns for which account the evidence was used, for `assertTaken`. */
export function selectUsedBy(db: Db, { evidence: { record, id } }: NewNumber) {
  return queryFirst(db, usedByRow)`select used_by from ${sql.raw(record)} where id = ${id}`;
}

/**
 * @throws AppError invalid_code if another account has used the evidence, or phone_taken if another person has proven
 * the phone number.
 */
export function assertTaken(row: RowOf<typeof usedByRow> | undefined, { userId }: NewNumber): void {
  if (row?.used_by === userId) return;
  throw new AppError(row?.used_by === null ? 'phone_taken' : 'invalid_code');
}
