import { and, eq } from 'drizzle-orm';
import type { Registration } from '#contract/accounts.ts';
import { type Db, violatedUniqueColumn } from '#worker/db/client.ts';
import { phoneNumbers, users } from '#worker/db/schema.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { newId } from '#worker/identity/ids.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { type Allowance, countOne, forgetCount } from '#worker/limits/allowance.ts';
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

/** Counts the attempt before the password is looked at, so that parallel guesses are all counted. */
export async function countSignIn(
  db: Db,
  email: string,
  allowances: { account: Allowance; address: Allowance },
  now: number,
) {
  const [[byAccount], [byAddress], [user]] = await db.batch([
    countOne(db, allowances.account, now),
    countOne(db, allowances.address, now),
    db
      .select({ id: users.id, passwordHash: users.passwordHash, tokenVersion: users.tokenVersion })
      .from(users)
      .where(eq(users.emailKey, emailKey(email))),
  ]);
  return { byAccount, byAddress, user: user ?? null };
}

/** Only failures count: a right password clears the account's counter, and renews its hash when that was outdated. */
export async function recordSignIn(db: Db, userId: string, allowance: Allowance, renewedHash: string | null) {
  const forget = forgetCount(db.repeatable, allowance);
  if (renewedHash === null) await forget;
  else
    await db.repeatable.batch([
      forget,
      db.update(users).set({ passwordHash: renewedHash }).where(eq(users.id, userId)),
    ]);
}

/** @throws AppError unauthorized when the viewer's token has been revoked. */
export async function readCredentials(db: Db, { userId, tokenVersion }: Viewer) {
  const [credentials] = await db
    .select({ emailKey: users.emailKey, passwordHash: users.passwordHash })
    .from(users)
    .where(and(eq(users.id, userId), eq(users.tokenVersion, tokenVersion)));
  if (!credentials) throw new AppError('unauthorized');
  return credentials;
}
