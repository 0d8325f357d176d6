import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#worker/db/client.ts';
import {
  type Counter,
  countOne,
  countOneIf,
  forgetCount,
  hasRoom,
  peekCount,
  RATE_LIMITS,
} from '#worker/limits/rate-limits.ts';
import {
  CODE_LIFETIME_MS,
  type CodeState,
  type Judgement,
  MAX_WRONG_TRIES,
  RESET_LIFETIME_MS,
} from './recovery-rules.ts';

export type NewCode = { numberKey: string; number: string; requestId: string; codeDigest: string };
type Subjects = { byNumber: string; byAddress: string };

/**
 * Counts the request and, within the limits, puts its code in the place of the number's last one. A number without an
 * account goes the very same way; its row just belongs to nobody.
 */
export async function insertCode(db: Db, code: NewCode, subjects: Subjects, areRateLimitsOn: boolean, now: number) {
  const count = (subject: string) => sql`(select count from rate_counters where subject = ${subject})`;
  const isWithinLimits = areRateLimitsOn
    ? sql`${count(subjects.byNumber)} <= ${RATE_LIMITS.reset_request.max}
        and ${count(subjects.byAddress)} <= ${RATE_LIMITS.reset_address.max}`
    : sql`true`;
  const [[byNumber], [byAddress]] = await db.batch([
    countOne(db, 'reset_request', subjects.byNumber, now),
    countOne(db, 'reset_address', subjects.byAddress, now),
    db.run(sql`
      insert into reset_codes (number_key, request_id, user_id, code_digest, issued_at)
      select ${code.numberKey}, ${code.requestId}, (select id from users where whatsapp_number = ${code.number}),
        ${code.codeDigest}, ${now}
      where ${isWithinLimits}
      on conflict (number_key) do update set request_id = excluded.request_id, user_id = excluded.user_id,
        code_digest = excluded.code_digest, issued_at = excluded.issued_at,
        wrong_tries = 0, verified_at = null, used_at = null`),
  ]);
  return { byNumber: byNumber as Counter | undefined, byAddress: byAddress as Counter | undefined };
}

export type Guess = { numberKey: string; codeDigest: string; rateSubject: string; now: number };
export type GuessLimits = { lifetimeMs: number; areRateLimitsOn: boolean };

/**
 * Judges a guess and counts it if it is wrong, in one guarded statement, so that of parallel guesses no more than the
 * allowed ones are ever judged. A right guess within the code's lifetime marks it verified.
 * @param lifetimeMs how long a code that was verified before is still taken.
 * @returns `isRight` null when nothing was judged, and the code's state for the answer.
 */
export async function judgeGuess(db: Db, guess: Guess, limits: GuessLimits): Promise<Judgement> {
  const [[judged], , [state], [counted]] = await db.batch([
    db.all<{ is_right: 0 | 1 }>(judge(guess, limits)),
    // Right after the judging, whose changes it asks for: a guess that was not judged tells nobody anything.
    db.run(countOneIf('reset_guess', guess.rateSubject, guess.now, sql`changes() > 0`)),
    db.all<CodeState>(sql`
      select r.used_at, u.email_key from reset_codes r left join users u on u.id = r.user_id
      where r.number_key = ${guess.numberKey}`),
    peekCount(db, guess.rateSubject, guess.now),
  ]);
  return { isRight: judged ? judged.is_right === 1 : null, state: state ?? null, counted };
}

function judge({ numberKey, codeDigest, rateSubject, now }: Guess, { lifetimeMs, areRateLimitsOn }: GuessLimits): SQL {
  const isRight = sql`(code_digest = ${codeDigest} and user_id is not null)`;
  return sql`
    update reset_codes set
      wrong_tries = wrong_tries + (not ${isRight}),
      verified_at = case when ${isRight} then coalesce(verified_at, ${now}) else verified_at end
    where number_key = ${numberKey} and used_at is null and wrong_tries < ${MAX_WRONG_TRIES}
      and (issued_at > ${now - CODE_LIFETIME_MS} or (verified_at is not null and issued_at > ${now - lifetimeMs}))
      and ${hasRoom('reset_guess', rateSubject, areRateLimitsOn, now)}
    returning ${isRight} as is_right`;
}

/**
 * Sets the password and uses the code up, in one transaction: of two resets with one code the second finds it used.
 * Every session's token is dead from here on; that the sockets are still to be closed is written down with it.
 * @param signInSubject the account's counter of failed sign-ins: who forgot their password has filled it.
 * @returns the user, or null when the code was used, replaced or outlived meanwhile.
 */
export async function setPassword(db: Db, guess: Guess, hash: string, signInSubject: string) {
  const { numberKey, codeDigest, rateSubject, now } = guess;
  const isUsable = sql`
    number_key = ${numberKey} and code_digest = ${codeDigest} and used_at is null and verified_at is not null
    and wrong_tries < ${MAX_WRONG_TRIES} and issued_at > ${now - RESET_LIFETIME_MS}`;
  const [[user]] = await db.batch([
    db.all<{ id: string; token_version: number }>(sql`
      update users set password_hash = ${hash}, token_version = token_version + 1
      where id = (select user_id from reset_codes where ${isUsable})
      returning id, token_version`),
    db.run(sql`
      update reset_codes set used_at = ${now},
        close_sockets_below = (select token_version from users where id = reset_codes.user_id)
      where ${isUsable}`),
    forgetCount(db, signInSubject),
    forgetCount(db, rateSubject),
  ]);
  return user ? { userId: user.id, tokenVersion: user.token_version } : null;
}

/** The users whose sockets were not closed after a reset that happened before. */
export async function listUsersWithOpenSockets(db: Db, before: number, limit: number) {
  return db.all<{ userId: string; tokenVersion: number }>(sql`
    select user_id as userId, close_sockets_below as tokenVersion from reset_codes
    where close_sockets_below is not null and coalesce(used_at, 0) < ${before} and user_id is not null limit ${limit}`);
}

/** The sockets are closed, unless another reset has asked for more meanwhile. */
export async function markSocketsClosed(db: Db, userId: string, tokenVersion: number): Promise<void> {
  await db.run(sql`
    update reset_codes set close_sockets_below = null
    where close_sockets_below is not null and close_sockets_below <= ${tokenVersion} and user_id = ${userId}`);
}
