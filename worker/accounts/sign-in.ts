import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Session, SignIn } from '#contract/accounts.ts';
import { batch, type Db, isAlive } from '#worker/db/client.ts';
import { firstOf } from '#worker/db/statements.ts';
import { users } from '#worker/db/tables/people.ts';
import type { Config } from '#worker/env.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { log } from '#worker/errors/log.ts';
import { type AppContext, clientAddress } from '#worker/http/context.ts';
import { type Device, findDevice, keepDeviceCookie, readDevices } from '#worker/http/device-cookies.ts';
import { emailKey, newId } from '#worker/identity/digests.ts';
import type { AccountVersion, Viewer } from '#worker/identity/viewer.ts';
import { type Allowance, allowanceOf, allowancesOf, assertWithin, countIf } from '#worker/limits/allowance.ts';
import {
  assertTurn,
  countEvent,
  forgetTurns,
  hasTurn,
  readWait,
  type Turns,
  takeTurn,
} from '#worker/limits/attempts.ts';
import { keepDevice, nameOfCaller, type SeenDevice, toSession } from './devices.ts';
import { DUMMY_HASH, hashPassword, isHashOutdated, isPasswordRight } from './password.ts';

export async function openSession(c: AppContext, { username: email, password }: SignIn): Promise<Session> {
  const { config, db } = c.var;
  const now = Date.now();
  const devices = readDevices(c);
  const address = clientAddress(c);
  const strangers = strangerTurns(config, email, address);
  const flood = {
    byAddress: allowancesOf(config, 'sign_in_address', address),
    byDevice: devices.map((known) => [known, allowanceOf(config, 'sign_in_address', known.id)] as const),
  };
  const { floodWait, counted, wait, user } = await readSignIn(db, email, { flood, strangers }, now);
  const device = user && findDevice(devices, user);
  if (device) assertWithin(flood.byAddress[0], counted, now);
  else for (const until of [floodWait, wait]) assertTurn(until, now);
  const turns = device ? deviceTurns(config, device) : strangers;
  // A sign-in with an unknown e-mail address takes as long as one with a wrong password, and gets the same response.
  const isRight = await isPasswordRight(password, user?.passwordHash ?? DUMMY_HASH);
  if (!user || !isRight) {
    log.warn('sign_in_failed', { user_id: user?.userId ?? null, is_known_device: device !== undefined });
    await takeTurn(db, turns, now);
    throw new AppError('invalid_credentials');
  }
  const { userId, tokenVersion, passwordHash } = user;
  const renewal = isHashOutdated(passwordHash) ? { of: passwordHash, hash: await hashPassword(password) } : null;
  const sessionId = newId();
  const signedIn = { id: sessionId, userId, name: nameOfCaller(c) };
  await recordSignIn(db, userId, { turns, isKnown: device !== undefined, renewal, device: signedIn }, now);
  log.info('signed_in', { user_id: userId, session_id: sessionId, is_known_device: device !== undefined });
  keepDeviceCookie(c, user, device?.id);
  return toSession(c, { userId, tokenVersion, sessionId });
}

/**
 * Checks the viewer's password again, for changes that need more than a session.
 * @throws AppError wrong_password (counts as a failed sign-in of the device), too_many_requests or unauthorized.
 */
export async function assertCurrentPassword(c: AppContext, viewer: Viewer, password: string): Promise<void> {
  const { config, db } = c.var;
  const now = Date.now();
  const device = findDevice(readDevices(c), viewer);
  const turns = device ? deviceTurns(config, device) : sessionTurns(config, viewer);
  const { passwordHash, wait } = await readPasswordHash(db, viewer, turns, now);
  assertTurn(wait, now);
  if (!(await isPasswordRight(password, passwordHash))) {
    await takeTurn(db, turns, now);
    throw new AppError('wrong_password');
  }
  await recordSignIn(db, viewer.userId, { turns, isKnown: true, renewal: null, device: null }, now);
}

// The limits on wrong guesses at an account's secrets. Strangers have other limits than the account's devices, so that
// strangers cannot block these devices.

/** The limit of a device that has signed in to the account before. */
export function deviceTurns(config: Config, { userId, id }: Device): Turns {
  return [allowanceOf(config, 'sign_in_device', `${userId}\0${id}`)];
}

/** One limit on wrong guesses for all signed-in clients of an account that have no device cookie. */
function sessionTurns(config: Config, { userId }: Viewer): Turns {
  return [allowanceOf(config, 'sign_in_device', userId)];
}

/**
 * The limits on guesses by strangers: people on devices that the account does not know. There is one limit for each
 * network that contains the client's IP address, and one for all strangers together. A used-up limit still allows one
 * guess per `sign_in_pause`.
 */
export function strangerTurns(config: Config, email: string, address: string): Turns {
  const key = emailKey(email);
  const pauses = allowancesOf(config, 'sign_in_pause', address, key);
  return [
    ...allowancesOf(config, 'sign_in_stranger', address, key).map((turn, index) => ({ ...turn, pause: pauses[index] })),
    { ...allowanceOf(config, 'sign_in_strangers', key), pause: allowanceOf(config, 'sign_in_pause', key) },
  ];
}

type SignInLimits = {
  /**
   * The allowances of the limit `sign_in_address`: one for each network that contains the client's IP address, and one
   * for each device.
   */
  flood: { byAddress: readonly [Allowance, ...Allowance[]]; byDevice: (readonly [AccountVersion, Allowance])[] };
  strangers: Turns;
};

/**
 * Counts the attempt against the device's limit, if the device has a valid cookie of this account, otherwise against
 * the limits of the client's IP address. Reads the account, and the time until which devices without such a cookie have
 * to wait.
 */
async function readSignIn(db: Db, email: string, { flood, strangers }: SignInLimits, now: number) {
  const { byAddress, byDevice } = flood;
  const known = JSON.stringify(byDevice.map(([{ userId, tokenVersion }, { key }]) => [userId, tokenVersion, key]));
  const keyOfDevice = sql`(
    select j.value ->> 2 from users u join json_each(${known}) j
    where u.email_key = ${emailKey(email)} and u.id = j.value ->> 0 and u.token_version = j.value ->> 1)`;
  const { floodWait, counted, wait, user } = await batch(db, {
    floodWait: readWait(db, byAddress, now),
    countEvent: countEvent(db, byAddress, sql`${keyOfDevice} is null and ${hasTurn(byAddress, now)}`, now),
    counted: countIf(db, { key: keyOfDevice, windowMs: byAddress[0].windowMs }, sql`${keyOfDevice} is not null`, now),
    wait: readWait(db, strangers, now),
    user: firstOf(
      db
        .select({ userId: users.id, passwordHash: users.passwordHash, tokenVersion: users.tokenVersion })
        .from(users)
        .where(and(eq(users.emailKey, emailKey(email)), isNull(users.closedAt))),
    ),
  });
  return { floodWait, counted, wait, user: user ?? null };
}

type RightPassword = {
  turns: Turns;
  isKnown: boolean;
  /** The stored hash (`of`) and the new hash that replaces it; null to keep the stored hash. */
  renewal: { of: string; hash: string } | null;
  /** The device to sign in; null if a signed-in person has only typed the password again. */
  device: SeenDevice | null;
};

/**
 * Records a sign-in with a correct password: resets the failed attempts if the account knows the device, replaces an
 * outdated hash, and signs the device in. The attempts of strangers are not reset, as other people may have made them.
 * @throws AppError too_many_requests if concurrent wrong guesses have used up the limit.
 */
export async function recordSignIn(db: Db, userId: string, right: RightPassword, now: number) {
  const { turns, isKnown, renewal, device } = right;
  const { wait } = await batch(db.repeatable, {
    wait: readWait(db.repeatable, turns, now),
    forgetTurns: isKnown ? [forgetTurns(db.repeatable, turns, hasTurn(turns, now))] : [],
    renewHash: renewal === null ? [] : [renewHash(db, userId, renewal)],
    keepDevice: device === null ? {} : keepDevice(db.repeatable, device, now, hasTurn(turns, now)),
  });
  assertTurn(wait, now);
}

/** Statement: replaces the hash, unless another password was set while the old one was being verified. */
function renewHash(db: Db, userId: string, { of, hash }: { of: string; hash: string }) {
  return db.run(sql`update users set password_hash = ${hash} where id = ${userId} and password_hash = ${of}`);
}

/** @throws AppError unauthorized when the viewer's token has been revoked. */
async function readPasswordHash(db: Db, viewer: Viewer, turns: Turns, now: number) {
  const { account, wait } = await batch(db, {
    account: firstOf(db.select({ passwordHash: users.passwordHash }).from(users).where(isAlive(viewer))),
    wait: readWait(db, turns, now),
  });
  if (!account) throw new AppError('unauthorized');
  return { passwordHash: account.passwordHash, wait };
}
