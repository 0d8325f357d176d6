import { and, eq } from 'drizzle-orm';
import type { Registration } from '#contract/accounts.ts';
import { type Db, violatedUniqueColumn } from '#worker/db/client.ts';
import { phoneNumbers, users } from '#worker/db/schema.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { newId } from '#worker/identity/ids.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { type Allowance, countOne } from '#worker/limits/allowance.ts';
import { assertTurn, forgetWrong, readWait, type Turns } from '#worker/limits/turns.ts';
import { emailKey } from './account-rules.ts';

/**
 * @throws AppError email_taken or phone_taken. One account each, decided by the table's own unique columns,
 * so that two registrations at once cannot both win.
 */
export async function insertUser(db: Db, registration: Registration, passwordHash: string, now: number) {
  const user = {
    id: newId(),
    username: registration.username,
    email: registration.email,
    emailKey: emailKey(registration.email),
    whatsappNumber: registration.whatsapp_number,
    passwordHash,
    createdAt: now,
  };
  try {
    await db.batch([
      db.insert(users).values(user),
      db.insert(phoneNumbers).values({ number: user.whatsappNumber, userId: user.id }),
    ]);
  } catch (error) {
    const column = violatedUniqueColumn(error);
    if (column === 'users.email_key') throw new AppError('email_taken');
    if (column === 'users.whatsapp_number' || column === 'phone_numbers.number') throw new AppError('phone_taken');
    throw error;
  }
  return user;
}

/** Counts the attempt for whom it comes from, and reads whose account it is for and whether strangers must wait. */
export async function readSignIn(
  db: Db,
  email: string,
  { flood, strangers }: { flood: Allowance; strangers: Turns },
  now: number,
) {
  const [[byAddress], [wait], [user]] = await db.batch([
    countOne(db, flood, now),
    readWait(db, strangers, now),
    db
      .select({ userId: users.id, passwordHash: users.passwordHash, tokenVersion: users.tokenVersion })
      .from(users)
      .where(eq(users.emailKey, emailKey(email))),
  ]);
  return { byAddress, wait, user: user ?? null };
}

type RightSignIn = { turns: Turns; isKnown: boolean; renewedHash: string | null };

/**
 * A right password makes good a known device's mistakes, but not strangers', who may be others; and it renews a hash
 * that was outdated.
 * @throws AppError too_many_requests when wrong ones that came at once have used the turns up.
 */
export async function recordSignIn(db: Db, userId: string, { turns, isKnown, renewedHash }: RightSignIn, now: number) {
  const [[wait]] = await db.repeatable.batch([
    readWait(db.repeatable, turns, now),
    ...(isKnown ? [forgetWrong(db.repeatable, turns, now)] : []),
    ...(renewedHash === null ? [] : [db.update(users).set({ passwordHash: renewedHash }).where(eq(users.id, userId))]),
  ]);
  assertTurn(wait, now);
}

/** @throws AppError unauthorized when the viewer's token has been revoked. */
export async function readPasswordHash(db: Db, { userId, tokenVersion }: Viewer, turns: Turns, now: number) {
  const [[account], [wait]] = await db.batch([
    db
      .select({ passwordHash: users.passwordHash })
      .from(users)
      .where(and(eq(users.id, userId), eq(users.tokenVersion, tokenVersion))),
    readWait(db, turns, now),
  ]);
  if (!account) throw new AppError('unauthorized');
  return { passwordHash: account.passwordHash, wait };
}
