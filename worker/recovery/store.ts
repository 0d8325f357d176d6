import { eq, type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Db, Statement } from '#worker/db/client.ts';
import { deleteSome } from '#worker/db/delete-some.ts';
import { KEPT_MS } from '#worker/db/lifetimes.ts';
import { flag, idRow, queryRows } from '#worker/db/rows.ts';
import { phoneNumbers, resetCodes, users } from '#worker/db/schema.ts';
import { endDevices } from '#worker/devices/index.ts';
import { countEvent, forgetTurns, hasTurn, type Turns, takeTurnIfLeft } from '#worker/limits/turns.ts';
import { endSubscriptionsOfUser } from '#worker/push/index.ts';
import {
  CODE_LIFETIME_MS,
  codeStateRow,
  type Judgement,
  MAX_WRONG_TRIES,
  RESET_LIFETIME_MS,
  type Requester,
} from './recovery-rules.ts';

const judgedRow = () => z.object({ is_right: flag() });

export type NewCode = { numberKey: string; number: string; requestId: string; codeDigest: string };

/** The account with this number, to look for a known device. */
export async function findHolder(db: Db, number: string) {
  const [holder] = await db
    .select({
      userId: users.id,
      tokenVersion: users.tokenVersion,
      isProven: sql<number>`${phoneNumbers.provenAt} is not null`.mapWith(Boolean),
    })
    .from(phoneNumbers)
    .innerJoin(users, eq(users.id, phoneNumbers.userId))
    .where(eq(phoneNumbers.number, number));
  return holder ?? null;
}

/**
 * Counts the request and, within the limits, stores its code next to the number's previous one, which stays valid until
 * the queue has accepted the new one (`startCode`). A number without an account is handled the same; its row has no user.
 * @returns until when it has to wait otherwise.
 */
export async function insertCode(db: Db, code: NewCode, requests: Turns, now: number) {
  const { numberKey, number, requestId, codeDigest } = code;
  const holder = sql`(
    select n.user_id from phone_numbers n join users u on u.id = n.user_id where n.number = ${number} and u.closed_at is null)`;
  const [[wait]] = await db.batch([
    ...takeTurnIfLeft(db, requests, now),
    db.run(sql`
      insert into reset_codes (number_key, request_id, user_id, code_digest, issued_at)
      select ${numberKey}, ${requestId}, ${holder}, ${codeDigest}, ${now} where changes() > 0
      on conflict (number_key) do update set user_id = excluded.user_id, next_request_id = excluded.request_id,
        next_code_digest = excluded.code_digest, next_issued_at = excluded.issued_at`),
  ]);
  return wait;
}

export type Guess = { number: string; numberKey: string; codeDigest: string; requester: Requester; now: number };

/**
 * Checks a guess and counts it if it is wrong, in one guarded statement, so that concurrent guesses cannot exceed the
 * limits. A right guess within the code's lifetime marks it as verified.
 * @param lifetimeMs how long a code that was verified before is still accepted.
 * @returns `isRight`, null if the guess was not checked, and the code's state for the answer.
 */
export async function judgeGuess(db: Db, guess: Guess, lifetimeMs: number): Promise<Judgement> {
  const { numberKey, requester, now } = guess;
  const isJudgedWrong = sql`changes() > 0 and exists (
    select 1 from reset_codes where number_key = ${numberKey} and not ${isRight(guess)})`;
  const [[state], [judged]] = await db.batch([
    queryRows(db, codeStateRow)`
      select r.used_at, u.email_key from reset_codes r left join users u on u.id = r.user_id
      where r.number_key = ${numberKey}`,
    queryRows(db, judgedRow)`${judge(guess, lifetimeMs)}`,
    // Each depends on `changes()` of the statement before it: guesses that were not checked are not counted.
    countEvent(db, requester.tries, isJudgedWrong, now, ofCode(guess)),
    countEvent(db, requester.guesses, sql`changes() > 0`, now),
  ]);
  return { isRight: judged ? judged.is_right === 1 : null, state: state ?? null };
}

function judge(guess: Guess, lifetimeMs: number): SQL {
  const { numberKey, requester, now } = guess;
  const { isStranger, tries, guesses } = requester;
  const mayGuess = sql.join(
    [
      hasTurn(tries, now, ofCode(guess)),
      isStranger ? sql`wrong_tries < ${MAX_WRONG_TRIES}` : sql`true`,
      hasTurn(guesses, now),
    ],
    sql` and `,
  );
  return sql`
    update reset_codes set
      wrong_tries = wrong_tries + (${isStranger ? 1 : 0} and not ${isRight(guess)}),
      verified_at = case when ${isRight(guess)} then coalesce(verified_at, ${now}) else verified_at end
    where number_key = ${numberKey} and used_at is null and ${mayGuess}
      and (issued_at > ${now - CODE_LIFETIME_MS} or (verified_at is not null and issued_at > ${now - lifetimeMs}))
    returning ${isRight(guess)} as is_right`;
}

function isRight({ codeDigest }: Guess): SQL {
  return sql`(code_digest = ${codeDigest} and user_id is not null)`;
}

/** Expression: what makes the keys of the tries different for each code. */
function ofCode({ numberKey }: Guess): SQL {
  return sql`(select ':' || request_id from reset_codes where number_key = ${numberKey})`;
}

/**
 * Sets the password and uses up the code, in one transaction, so that a code works only once. It revokes every token, ends
 * every device, and marks the number as proven, as the person received the code there.
 * @param signIns the account's limits on failed sign-ins, which are reset.
 * @param tell makes the statement that notifies the account whose id the expression finds.
 * @returns the id of the user, or null if the code was used or replaced meanwhile, or has expired.
 */
export async function setPassword(
  db: Db,
  guess: Guess,
  hash: string,
  signIns: Turns,
  tell: (userId: SQL) => Statement,
) {
  const { number, numberKey, codeDigest, requester, now } = guess;
  const isUsable = sql`
    number_key = ${numberKey} and code_digest = ${codeDigest} and used_at is null and verified_at is not null
    and issued_at > ${now - RESET_LIFETIME_MS}`;
  const account = sql`(select user_id from reset_codes where ${isUsable})`;
  const [[user]] = await db.batch([
    queryRows(db, idRow)`
      update users set password_hash = ${hash}, token_version = token_version + 1
      where id = ${account} returning id`,
    db.run(sql`update phone_numbers set proven_at = ${now} where number = ${number} and user_id = ${account}`),
    endDevices(db, sql`user_id = ${account}`, now),
    endSubscriptionsOfUser(db, account),
    tell(account),
    db.run(sql`update reset_codes set used_at = ${now} where ${isUsable}`),
    forgetTurns(db, [...signIns, ...requester.guesses]),
  ]);
  return user?.id ?? null;
}

/** Statements: delete old codes. */
export function clearExpired(db: Db, now: number) {
  const oldest = now - KEPT_MS.code;
  const hasExpired = sql`issued_at < ${oldest} and coalesce(next_issued_at, 0) < ${oldest}`;
  return [deleteSome(db, resetCodes, hasExpired)];
}
