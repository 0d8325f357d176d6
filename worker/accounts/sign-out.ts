import { sql } from 'drizzle-orm';
import type { Session } from '#contract/accounts.ts';
import { getUserChannel } from '#durable/get-user-channel.ts';
import { batch, type Db, writeAs } from '#worker/db/client.ts';
import { idRow, queryFirst, queryRows, rowOf } from '#worker/db/statements.ts';
import { devices, users } from '#worker/db/tables/people.ts';
import type { Env } from '#worker/env.ts';
import { AppError, invalidField } from '#worker/errors/app-error.ts';
import { errorName, log } from '#worker/errors/log.ts';
import { type AppContext, continueAfterAnswer } from '#worker/http/context.ts';
import { findDevice, keepDeviceCookie, readDevices } from '#worker/http/device-cookies.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { endSubscriptionsOfSessions, endSubscriptionsOfUser } from '#worker/push/subscriptions.ts';
import { isCommonPassword } from './common-passwords.ts';
import { endDevice, endDevices, keepDevice, nameOfCaller, toSession } from './devices.ts';
import { hashPassword } from './password.ts';
import { assertCurrentPassword } from './sign-in.ts';

/**
 * Sets a new password, which signs out every other device.
 * @throws AppError validation_failed for a common password, or any error of `assertCurrentPassword`.
 */
export async function changePassword(
  c: AppContext,
  viewer: Viewer,
  { current_password, new_password }: { current_password: string; new_password: string },
): Promise<Session> {
  if (isCommonPassword(new_password)) throw invalidField('new_password', 'password_common');
  await assertCurrentPassword(c, viewer, current_password);
  return stayAlone(c, viewer, await hashPassword(new_password));
}

/** Signs out one of the viewer's devices. @throws AppError not_found. */
export async function signOutDevice(c: AppContext, viewer: Viewer, deviceId: string): Promise<void> {
  const { db } = c.var;
  if (!(await endDevice(db, viewer, deviceId, Date.now()))) throw new AppError('not_found');
  continueAfterAnswer(c, closeSockets(c.env, db, viewer.userId));
}

/** Signs out every other device. @param passwordHash the hash of a new password; null keeps the current one. */
export async function stayAlone(c: AppContext, viewer: Viewer, passwordHash: string | null): Promise<Session> {
  const { db } = c.var;
  const change = { passwordHash, deviceName: nameOfCaller(c), now: Date.now() };
  const alone = { ...viewer, tokenVersion: await endOtherSessions(db, viewer, change) };
  // The new token version has made all device cookies invalid. This device gets a new cookie if it had one, or if the
  // person has just given the password.
  const device = findDevice(readDevices(c), viewer);
  if (device || passwordHash !== null) keepDeviceCookie(c, alone, device?.id);
  continueAfterAnswer(c, closeSockets(c.env, db, viewer.userId));
  return toSession(c, alone);
}

/**
 * Revokes every token of the account, and signs out every other device. The viewer gets a new token.
 * @param passwordHash the hash of a new password; null keeps the current one.
 * @returns the new token version.
 */
async function endOtherSessions(
  db: Db,
  viewer: Viewer,
  { passwordHash, deviceName, now }: { passwordHash: string | null; deviceName: string; now: number },
): Promise<number> {
  const { userId, sessionId } = viewer;
  const { account } = await writeAs(db, viewer, {
    account: queryFirst(db, rowOf(users, 'token_version'))`
      update users set token_version = token_version + 1, password_hash = coalesce(${passwordHash}, password_hash)
      where id = ${userId} returning token_version`,
    endDevices: endDevices(db, sql`user_id = ${userId} and id <> ${sessionId}`, now),
    endSubscriptionsOfUser: endSubscriptionsOfUser(db, sql`${userId}`, sessionId),
    keepDevice: keepDevice(db, { id: sessionId, userId, name: deviceName }, now),
  });
  if (!account) throw new AppError('unauthorized');
  return account.token_version;
}

/**
 * The scheduled sweep ignores sign-outs more recent than this: the sign-out request is probably still closing the
 * sockets.
 */
const GRACE_MS = 10_000;
const USERS_PER_SWEEP = 100;

/**
 * Closes the sockets of a person's signed-out devices. A statement that revokes tokens must also sign out the devices:
 * otherwise this function does not find the devices. If the person's Durable Object cannot be reached, the scheduled
 * sweep tries again every minute. Until then an open socket still receives messages.
 */
export async function closeSockets(env: Env, db: Db, userId: string): Promise<void> {
  const ended = await listToClose(db, userId);
  if (ended.length === 0) return;
  try {
    await getUserChannel(env, userId).endSessions(ended);
  } catch (error) {
    log.warn('sockets_not_closed', { name: errorName(error) });
    return;
  }
  await markClosed(db, ended, Date.now());
}

/**
 * Closes sockets that a crash or an unreachable Durable Object left open. The scheduled sweep calls this every minute.
 */
export async function finishClosingSockets(env: Env, db: Db, now: number): Promise<void> {
  for (const userId of await listUsersToClose(db, now - GRACE_MS)) {
    await closeSockets(env, db, userId);
  }
}

/** Lists the person's signed-out devices that may still have open sockets. */
async function listToClose(db: Db, userId: string): Promise<string[]> {
  const rows = await queryRows(db, idRow)`
    select id from devices where user_id = ${userId} and ended_at is not null and closed_at is null`;
  return rows.map(({ id }) => id);
}

/** Records that the sockets of these devices are closed, and ends their push subscriptions. */
async function markClosed(db: Db, ids: string[], now: number): Promise<void> {
  const ended = sql`select value from json_each(${JSON.stringify(ids)})`;
  await batch(db.repeatable, {
    endSubscriptionsOfSessions: endSubscriptionsOfSessions(db, ended),
    updateDevices: db.run(sql`update devices set closed_at = ${now} where id in (${ended})`),
  });
}

/** Lists people with devices that were signed out before this time and may still have open sockets. */
async function listUsersToClose(db: Db, before: number): Promise<string[]> {
  const rows = await queryRows(db, rowOf(devices, 'user_id'))`
    select distinct user_id from devices where ended_at < ${before} and closed_at is null limit ${USERS_PER_SWEEP}`;
  return rows.map((row) => row.user_id);
}
