import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { NumberCodeKind } from '#contract/jobs.ts';
import type { Language } from '#contract/language.ts';
import { RESET_CODE_LIFETIME_SECONDS } from '#contract/limits.ts';
import { batch, type Db } from '#worker/db/client.ts';
import { flag, queryFirst, rowOf } from '#worker/db/statements.ts';
import { numberCodes } from '#worker/db/tables/people.ts';
import { type AppContext, clientAddress } from '#worker/http/context.ts';
import { deriveCode } from '#worker/identity/codes.ts';
import { fingerprint, newId } from '#worker/identity/digests.ts';
import { type Allowance, allowanceOf, countIf, hasRoom, readCount } from '#worker/limits/allowance.ts';
import {
  assertTurn,
  codesFromAddress,
  codesToNumber,
  countEvent,
  hasTurn,
  type Turns,
  takeTurnIfLeft,
} from '#worker/limits/attempts.ts';
import { refuseBarredNumber } from '#worker/limits/bars.ts';
import { queueCode } from '#worker/whatsapp/queue-message.ts';

type CodeRequest = {
  kind: NumberCodeKind;
  subject: string;
  number: string;
  language: Language;
  turns: Turns;
};

/**
 * Sends a verification code to a phone number that must be proven before registration.
 * @throws AppError suspended for a barred phone number, and what `sendCode` throws.
 */
export async function sendProvingCode(c: AppContext, number: string): Promise<void> {
  const { config, db, language } = c.var;
  const now = Date.now();
  await refuseBarredNumber(db, config, number, now);
  const turns = [
    allowanceOf(config, 'prove_request', number),
    ...codesToNumber(config, number),
    ...codesFromAddress(config, clientAddress(c), number, now),
  ];
  await sendCode(c, { kind: 'prove_number', subject: number, number, language, turns });
}

/**
 * Stores and sends a verification code.
 * @throws AppError too_many_requests, or unavailable if the queue does not accept the job.
 */
export async function sendCode(c: AppContext, { turns, ...request }: CodeRequest): Promise<void> {
  const { config, db } = c.var;
  const now = Date.now();
  const id = newId();
  const codeDigest = digestCode(config.keys.code, request, deriveCode(config.keys.code, id));
  assertTurn(await insertCode(db, { ...request, id, codeDigest }, turns, now), now);
  await queueCode(c.env, { kind: request.kind, requestId: id, language: request.language });
}

const CODE_LIFETIME_MS = RESET_CODE_LIFETIME_SECONDS * 1000;
/**
 * How many wrong guesses all people together may make at one verification code. This limit is higher than the limit of
 * one person, so that no single stranger can invalidate a code.
 */
const MAX_WRONG_TRIES = 20;

type NewCode = {
  id: string;
  kind: NumberCodeKind;
  subject: string;
  number: string;
  codeDigest: string;
  language: Language;
};

/**
 * Counts the request and, within the limits, stores its code, which replaces the previous one.
 * @returns `until`: the time at which the person may try again; null if no limit is reached.
 */
async function insertCode(db: Db, code: NewCode, turns: Turns, now: number) {
  const { turn } = await batch(db, {
    turn: takeTurnIfLeft(db, turns, now),
    insertNumberCode: db.run(sql`
      insert into number_codes (id, kind, subject, number, code_digest, issued_at, language, updated_at)
      select ${code.id}, ${code.kind}, ${code.subject}, ${code.number}, ${code.codeDigest}, ${now}, ${code.language}, ${now}
      where changes() > 0`),
  });
  return turn.wait;
}

const judgedRow = () => z.object({ id: z.string(), number: z.string(), is_right: flag() });

type Guess = {
  kind: NumberCodeKind;
  subject: string;
  codeDigest: string;
  /**
   * Limits on wrong guesses at verification codes. `byGuesser` limits the guesses of one person at one code:
   * `judgeGuess` adds the code's id to the limits' keys. `bySubject` limits the guesses of all people at all codes of
   * this `subject`.
   */
  byGuesser: Turns;
  bySubject: Allowance;
  now: number;
};

/**
 * Checks a guess at the latest code of the subject (a phone number or a user's id), and counts a wrong guess. The
 * limits are checked in the same transaction, so that concurrent guesses cannot exceed the limits.
 */
export async function judgeGuess(db: Db, { kind, subject, codeDigest, byGuesser, bySubject, now }: Guess) {
  const latest = sql`(
    select id from number_codes where kind = ${kind} and subject = ${subject} order by issued_at desc, rowid desc limit 1)`;
  const isRight = sql`(code_digest = ${codeDigest})`;
  // Appended to the keys of the guesser's limits, so that wrong guesses at one code never block the next code.
  const ofCode = sql`(':' || ${latest})`;
  const { judged, state, counted } = await batch(db, {
    judged: queryFirst(db, judgedRow)`
      update number_codes set wrong_tries = wrong_tries + (not ${isRight})
      where id = ${latest} and used_by is null and wrong_tries < ${MAX_WRONG_TRIES}
        and issued_at > ${now - CODE_LIFETIME_MS} and ${hasTurn(byGuesser, now, ofCode)} and ${hasRoom(bySubject, now)}
      returning id, number, ${isRight} as is_right`,
    // `countByGuesser` and `countBySubject` count only if the previous statement has changed a row (`changes()` in
    // SQLite).
    countByGuesser: countEvent(
      db,
      byGuesser,
      sql`changes() > 0 and exists (select 1 from number_codes where id = ${latest} and not ${isRight})`,
      now,
      ofCode,
    ),
    countBySubject: countIf(db, bySubject, sql`changes() > 0`, now),
    state: queryFirst(db, rowOf(numberCodes, 'used_by'))`select used_by from number_codes where id = ${latest}`,
    counted: readCount(db, bySubject, now),
  });
  return { judged, hasExpired: judged === undefined && state !== undefined && state.used_by === null, counted };
}

/** Returns the digest of a code or a guess. The same code has a different digest for each kind and subject. */
export function digestCode(
  secret: string,
  { kind, subject }: { kind: NumberCodeKind; subject: string },
  code: string,
): string {
  return fingerprint(secret, `${kind}-digest`, `${subject}\0${code}`);
}
