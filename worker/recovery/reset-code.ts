import { eq, type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { MINUTE_MS } from '#contract/durations.ts';
import { RESET_CODE_LIFETIME_SECONDS } from '#contract/limits.ts';
import type { VerifyCode } from '#contract/recovery.ts';
import { batch, type Db, type Handle } from '#worker/db/client.ts';
import { flag, queryFirst, type RowOf } from '#worker/db/statements.ts';
import { phoneNumbers, users } from '#worker/db/tables/people.ts';
import type { Config } from '#worker/env.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { type AppContext, clientAddress } from '#worker/http/context.ts';
import { type Device, findDevice, readDevices } from '#worker/http/device-cookies.ts';
import { deriveCode, digestResetCode } from '#worker/identity/codes.ts';
import { fingerprint, newId } from '#worker/identity/digests.ts';
import { allowanceOf, allowancesOf } from '#worker/limits/allowance.ts';
import {
  assertTurn,
  assertTurns,
  codesFromAddress,
  codesToNumber,
  countEvent,
  hasTurn,
  recipientsOfAddress,
  type Turns,
  takeTurnIfLeft,
} from '#worker/limits/attempts.ts';
import { queueCode } from '#worker/whatsapp/queue-message.ts';

/**
 * Requests a reset code. Does the same work for every phone number: only the queue's consumer finds out whether the
 * number has an account.
 */
export async function requestCode(c: AppContext, number: string): Promise<void> {
  const { config, db } = c.var;
  const now = Date.now();
  const requestId = newId();
  const code = {
    number,
    numberKey: numberKey(c, number),
    requestId,
    codeDigest: digestResetCode(config.keys.code, number, deriveCode(config.keys.code, requestId)),
  };
  const { requests } = await findRequester(c, number, now);
  assertTurn(await insertCode(db, code, requests, now), now);
  await queueCode(c.env, { kind: 'reset_code', requestId, language: c.var.language });
  await startCode(db.repeatable, requestId);
}

/**
 * Checks a guess at the reset code.
 * @throws AppError invalid_code, code_expired or too_many_requests if the guess is not accepted.
 */
export async function assertGuess(c: AppContext, guess: Guess, lifetimeMs: number): Promise<Judgement> {
  const judgement = await judgeGuess(c.var.db, guess, lifetimeMs);
  if (judgement.isRight === null) await assertTurns(c.var.db, guess.requester.guesses, guess.now);
  assertRight(judgement);
  return judgement;
}

export async function toGuess(c: AppContext, input: VerifyCode): Promise<Guess> {
  const { whatsapp_number: number, verification_code: code } = input;
  const now = Date.now();
  return {
    number,
    numberKey: numberKey(c, number),
    codeDigest: digestResetCode(c.var.config.keys.code, number, code),
    requester: await findRequester(c, number, now),
    now,
  };
}

function numberKey(c: AppContext, number: string): string {
  return fingerprint(c.var.config.keys.code, 'reset-number', number);
}

/**
 * Finds out whose limits apply to the request. Queries the database only if the browser is a known device of some
 * account, so that the response time does not reveal whether the phone number has an account.
 */
async function findRequester(c: AppContext, number: string, now: number): Promise<Requester> {
  const { config, db } = c.var;
  const devices = readDevices(c);
  const address = clientAddress(c);
  const holder = devices.length > 0 ? await findHolder(db, number) : null;
  const device = holder && findDevice(devices, holder);
  if (!device) return stranger(config, number, address, now);
  const known = knownDevice(config, number, device);
  // Anybody can register with a phone number that is not theirs. A code to an unproven number therefore also counts
  // towards the limit on how many different phone numbers one IP address may request codes for.
  const recipients = holder.isProven ? [] : recipientsOfAddress(config, address, number, now);
  return { ...known, requests: [...known.requests, ...recipients] };
}

function knownDevice(config: Config, number: string, { id }: Device): Requester {
  const ofDevice = `${number}\0${id}`;
  return {
    isStranger: false,
    requests: [allowanceOf(config, 'reset_request', ofDevice), ...codesToNumber(config, number, id)],
    guesses: [allowanceOf(config, 'reset_guess', ofDevice)],
    tries: [allowanceOf(config, 'reset_code_try', ofDevice)],
  };
}

export function stranger(config: Config, number: string, address: string, now: number): Requester {
  return {
    isStranger: true,
    requests: [
      allowanceOf(config, 'reset_request', number),
      ...codesToNumber(config, number),
      ...codesFromAddress(config, address, number, now),
    ],
    guesses: [
      ...allowancesOf(config, 'reset_guess', address, number),
      allowanceOf(config, 'reset_guess_number', number),
    ],
    tries: allowancesOf(config, 'reset_code_try', address, number),
  };
}

const judgedRow = () => z.object({ is_right: flag() });

type NewCode = { numberKey: string; number: string; requestId: string; codeDigest: string };

/** Reads the account with this phone number, to find out whether the browser is one of its known devices. */
async function findHolder(db: Db, number: string) {
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
 * Counts a request for a reset code, and stores the code unless a limit is reached. The previous code stays valid until
 * the queue has accepted the new code (`startCode`). A phone number without an account also gets a row, without a user.
 * @returns `until`, the time at which the person may request a code again; null if no limit is reached.
 */
export async function insertCode(db: Db, code: NewCode, requests: Turns, now: number) {
  const { numberKey, number, requestId, codeDigest } = code;
  const holder = sql`(
    select n.user_id from phone_numbers n join users u on u.id = n.user_id where n.number = ${number} and u.closed_at is null)`;
  const { turn } = await batch(db, {
    turn: takeTurnIfLeft(db, requests, now),
    insertResetCode: db.run(sql`
      insert into reset_codes (number_key, request_id, user_id, code_digest, issued_at)
      select ${numberKey}, ${requestId}, ${holder}, ${codeDigest}, ${now} where changes() > 0
      on conflict (number_key) do update set user_id = excluded.user_id, next_request_id = excluded.request_id,
        next_code_digest = excluded.code_digest, next_issued_at = excluded.issued_at`),
  });
  return turn.wait;
}

export type Guess = { number: string; numberKey: string; codeDigest: string; requester: Requester; now: number };

/**
 * Checks a guess, and counts a wrong guess in the same transaction, so that concurrent guesses cannot exceed the
 * limits. A right guess within the code's lifetime marks the code as verified.
 * @param lifetimeMs the code's lifetime after its issue.
 * @returns `isRight`, which is null if the guess was not checked, and the code's state, on which the answer depends.
 */
export async function judgeGuess(db: Db, guess: Guess, lifetimeMs: number): Promise<Judgement> {
  const { numberKey, requester, now } = guess;
  const isJudgedWrong = sql`changes() > 0 and exists (
    select 1 from reset_codes where number_key = ${numberKey} and not ${isRight(guess)})`;
  const { state, judged } = await batch(db, {
    state: queryFirst(db, codeStateRow)`
      select r.used_at, u.email_key from reset_codes r left join users u on u.id = r.user_id
      where r.number_key = ${numberKey}`,
    judged: queryFirst(db, judgedRow)`${judge(guess, lifetimeMs)}`,
    // Each statement runs only if the previous one changed a row (`changes()`), so a guess that was not checked is not
    // counted.
    countTry: countEvent(db, requester.tries, isJudgedWrong, now, ofCode(guess)),
    countGuess: countEvent(db, requester.guesses, sql`changes() > 0`, now),
  });
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

/** Expression: a suffix for the keys of `tries`, so that wrong guesses are counted for each code separately. */
function ofCode({ numberKey }: Guess): SQL {
  return sql`(select ':' || request_id from reset_codes where number_key = ${numberKey})`;
}

export const CODE_LIFETIME_MS = RESET_CODE_LIFETIME_SECONDS * 1000;
/** How long after its issue a verified reset code can still set a password. */
export const RESET_LIFETIME_MS = 10 * MINUTE_MS;
/** The most wrong guesses that all strangers together can make at one reset code. `Requester` defines strangers. */
const MAX_WRONG_TRIES = 20;

/**
 * Who requests a reset code or guesses at it: a known device (a browser in which somebody has signed in to the number's
 * account before), or a stranger at an IP address. Strangers' attempts do not use up the limits of a known device.
 */
type Requester = {
  isStranger: boolean;
  requests: Turns;
  guesses: Turns;
  /** Limits on the requester's wrong guesses at one code. Callers append the code's request id to the limits' keys. */
  tries: Turns;
};

/** The row with the reset code's state, on which the response to a guess depends. */
const codeStateRow = () => z.object({ used_at: z.nullable(z.number()), email_key: z.nullable(z.string()) });
type CodeState = RowOf<typeof codeStateRow>;
export type Judgement = {
  /** Whether the guess was right; null if it was not checked. */
  isRight: boolean | null;
  state: CodeState | null;
};

/**
 * Throws an error unless the guess is right.
 * @throws AppError code_expired if the reset code is too old or was guessed wrong too often: this error asks people to
 * request a new code. Otherwise invalid_code, even if the code was used or if no code was requested.
 */
export function assertRight({ isRight, state }: Judgement): void {
  if (isRight === true) return;
  const hasExpired = isRight === null && state !== null && state.used_at === null;
  throw new AppError(hasExpired ? 'code_expired' : 'invalid_code');
}

/**
 * Statement: activates a queued reset code, and ends the phone number's previous code. Both the API request and the
 * queue's consumer run this statement, so that the code is activated even if the API request is interrupted.
 */
export function startCode(db: Handle, requestId: string) {
  return db.run(sql`
    update reset_codes set request_id = next_request_id, code_digest = next_code_digest, issued_at = next_issued_at,
      wrong_tries = 0, verified_at = null, used_at = null,
      next_request_id = null, next_code_digest = null, next_issued_at = null
    where next_request_id = ${requestId}`);
}

/**
 * Statement: ends the reset codes of these accounts. The codes were sent to phone numbers that the accounts no longer
 * have.
 */
export function endResetCodes(db: Handle, accounts: SQL, now: number) {
  return db.run(sql`
    update reset_codes set used_at = coalesce(used_at, ${now}),
      next_request_id = null, next_code_digest = null, next_issued_at = null
    where user_id in (${accounts})`);
}
