import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { MeChange, Registration } from '#contract/accounts.ts';
import { FALLBACK_LANGUAGE, type Language } from '#contract/language.ts';
import { type Db, isAlive, readAs, type Statement, violatedUniqueColumn, writeAs } from '#worker/db/client.ts';
import { queryRows } from '#worker/db/rows.ts';
import { phoneNumbers, users } from '#worker/db/schema.ts';
import { endDevices, keepDevice, type SeenDevice } from '#worker/devices/index.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { emailKey } from '#worker/identity/email-key.ts';
import { newId } from '#worker/identity/ids.ts';
import type { AccountVersion, Viewer } from '#worker/identity/viewer.ts';
import { type Allowance, countEach } from '#worker/limits/allowance.ts';
import { assertTurn, countEvent, forgetTurns, hasTurn, readWait, type Turns } from '#worker/limits/turns.ts';
import {
  assertTaken,
  type Evidence,
  endFormerHold,
  hasClaimed,
  insertNumber,
  readTaking,
} from '#worker/numbers/index.ts';
import { endSubscriptionsOfUser } from '#worker/push/index.ts';
import { meRow } from './account-rules.ts';

type NewUser = Pick<Registration, 'username' | 'email' | 'whatsapp_number'> & {
  language?: Language;
  /** The proof that the number is theirs; without it the number is only stated. */
  evidence?: Evidence | null;
  id?: string;
  /** Statements for the same transaction. */
  also?: readonly Statement[];
};

/**
 * @throws AppError email_taken or phone_taken, decided by unique columns, so that of two concurrent registrations only
 * one succeeds; with evidence, what `assertTaken` throws. On failure the evidence is not used up.
 */
export async function insertUser(db: Db, user: NewUser, passwordHash: string, now: number) {
  const { username, email, whatsapp_number: number, evidence = null, language = FALLBACK_LANGUAGE } = user;
  const { id = newId(), also = [] } = user;
  const account = (condition: SQL) =>
    db.run(sql`
      insert into users (id, username, email, email_key, password_hash, language, created_at)
      select ${id}, ${username}, ${email}, ${emailKey(email)}, ${passwordHash}, ${language}, ${now} where ${condition}`);
  try {
    if (evidence === null) {
      await db.batch([account(sql`true`), db.insert(phoneNumbers).values({ number, userId: id }), ...also]);
    } else {
      const taking = { evidence, userId: id, now };
      const [, , , , , [row]] = await db.batch([
        ...endFormerHold(db, taking),
        account(hasClaimed(taking)),
        insertNumber(db, taking),
        readTaking(db, taking),
        ...also,
      ]);
      assertTaken(row, taking);
    }
  } catch (error) {
    const column = violatedUniqueColumn(error);
    if (column === 'users.email_key') throw new AppError('email_taken');
    if (column === 'phone_numbers.number') throw new AppError('phone_taken');
    throw error;
  }
  return { id, username, email };
}

/** The signed-in person as they see themself. */
export async function findMe(db: Db, viewer: Viewer) {
  const [[me]] = await readAs(db, viewer, [selectMe(db, viewer)]);
  return me;
}

/** Statement: the viewer's account. */
function selectMe(db: Db, { userId }: Viewer) {
  return queryRows(db, meRow)`
    select u.id, u.username, u.email, u.email_proven_at, n.number as whatsapp_number, n.proven_at, u.language, u.is_platform_admin,
      u.suspended_at, u.suspension_reason, u.created_at
    from users u left join phone_numbers n on n.user_id = u.id where u.id = ${userId}`;
}

/** Changes only what is given. @returns the changed account. */
export async function updateMe(db: Db, viewer: Viewer, { username, language }: MeChange) {
  const [, [me]] = await writeAs(db.repeatable, viewer, [
    db.run(sql`
      update users set username = coalesce(${username ?? null}, username), language = coalesce(${language ?? null}, language)
      where id = ${viewer.userId}`),
    selectMe(db, viewer),
  ]);
  return me;
}

type SignInLimits = {
  /** All of the same limit. */
  flood: { byAddress: readonly [Allowance, ...Allowance[]]; byDevice: (readonly [AccountVersion, Allowance])[] };
  strangers: Turns;
};

/**
 * Counts the attempt, and reads the account and whether strangers have to wait. A device that this account knows is
 * counted by itself, whatever else comes from its address; one that only another account knows is not.
 */
export async function readSignIn(db: Db, email: string, { flood, strangers }: SignInLimits, now: number) {
  const { byAddress, byDevice } = flood;
  const known = JSON.stringify(byDevice.map(([{ userId, tokenVersion }, { key }]) => [userId, tokenVersion, key]));
  const keyOfDevice = sql`(
    select j.value ->> 2 from users u join json_each(${known}) j
    where u.email_key = ${emailKey(email)} and u.id = j.value ->> 0 and u.token_version = j.value ->> 1)`;
  const ofDevice = { from: sql`where ${keyOfDevice} is not null`, key: keyOfDevice };
  const [[floodWait], , [counted], [wait], [user]] = await db.batch([
    readWait(db, byAddress, now),
    countEvent(db, byAddress, sql`${keyOfDevice} is null and ${hasTurn(byAddress, now)}`, now),
    countEach(db, byAddress[0], ofDevice, now),
    readWait(db, strangers, now),
    db
      .select({ userId: users.id, passwordHash: users.passwordHash, tokenVersion: users.tokenVersion })
      .from(users)
      .where(and(eq(users.emailKey, emailKey(email)), isNull(users.closedAt))),
  ]);
  return { floodWait, counted, wait, user: user ?? null };
}

type RightPassword = {
  turns: Turns;
  isKnown: boolean;
  /** A new hash of the password, in the place of the outdated one that it was verified with; null if that one is not. */
  renewal: { of: string; hash: string } | null;
  /** The device that signs in; null if the person is signed in already. */
  device: SeenDevice | null;
};

/**
 * After a correct password: resets a known device's count of mistakes (not strangers', who may be other people), replaces
 * an outdated hash, and signs the device in.
 * @throws AppError too_many_requests when concurrent wrong guesses have used up the turns.
 */
export async function recordSignIn(db: Db, userId: string, right: RightPassword, now: number) {
  const { turns, isKnown, renewal, device } = right;
  const [[wait]] = await db.repeatable.batch([
    readWait(db.repeatable, turns, now),
    ...(isKnown ? [forgetTurns(db.repeatable, turns, hasTurn(turns, now))] : []),
    ...(renewal === null ? [] : [renewHash(db, userId, renewal)]),
    ...(device === null ? [] : keepDevice(db.repeatable, device, now, hasTurn(turns, now))),
  ]);
  assertTurn(wait, now);
}

/** Statement. A password that was set while the old one was being verified stays. */
function renewHash(db: Db, userId: string, { of, hash }: { of: string; hash: string }) {
  return db.run(sql`update users set password_hash = ${hash} where id = ${userId} and password_hash = ${of}`);
}

/** @throws AppError unauthorized when the viewer's token has been revoked. */
export async function readPasswordHash(db: Db, viewer: Viewer, turns: Turns, now: number) {
  const [[account], [wait]] = await db.batch([
    db.select({ passwordHash: users.passwordHash }).from(users).where(isAlive(viewer)),
    readWait(db, turns, now),
  ]);
  if (!account) throw new AppError('unauthorized');
  return { passwordHash: account.passwordHash, wait };
}

const versionRow = () => z.object({ token_version: z.number() });

/**
 * Revokes every token of the account, and signs out every other device. The viewer gets a new token.
 * @param passwordHash of a new password; null keeps the current one.
 * @returns the new token version.
 */
export async function endOtherSessions(
  db: Db,
  viewer: Viewer,
  { passwordHash, deviceName, now }: { passwordHash: string | null; deviceName: string; now: number },
): Promise<number> {
  const { userId, sessionId } = viewer;
  const [[account]] = await writeAs(db, viewer, [
    queryRows(db, versionRow)`
      update users set token_version = token_version + 1, password_hash = coalesce(${passwordHash}, password_hash)
      where id = ${userId} returning token_version`,
    endDevices(db, sql`user_id = ${userId} and id <> ${sessionId}`, now),
    endSubscriptionsOfUser(db, sql`${userId}`, sessionId),
    ...keepDevice(db, { id: sessionId, userId, name: deviceName }, now),
  ]);
  if (!account) throw new AppError('unauthorized');
  return account.token_version;
}
