import { type SQL, sql } from 'drizzle-orm';
import type { RegisteredUser, Registration } from '#contract/accounts.ts';
import { FALLBACK_LANGUAGE, type Language } from '#contract/language.ts';
import { batch, type Db, violatedUniqueColumn } from '#worker/db/client.ts';
import { phoneNumbers } from '#worker/db/tables/people.ts';
import { type FirstLink, insertFirstLink, newFirstLink, queueFirstLink } from '#worker/email/prove-email.ts';
import { AppError, invalidField } from '#worker/errors/app-error.ts';
import { type AppContext, clientAddress, continueAfterAnswer } from '#worker/http/context.ts';
import { emailKey, newId } from '#worker/identity/digests.ts';
import { allowancesOf } from '#worker/limits/allowance.ts';
import { assertTurn, takeTurnIfLeft } from '#worker/limits/attempts.ts';
import { assertNotBarred, barOf, selectBars } from '#worker/limits/bars.ts';
import { isCommonPassword } from './common-passwords.ts';
import { hashPassword } from './password.ts';
import {
  assertTaken,
  type Evidence,
  endFormerHold,
  hasReservedNumber,
  insertNumber,
  judgeEvidence,
  selectUsedBy,
} from './take-number.ts';

/**
 * Creates an account. After the response, queues the e-mail with the link that proves the account's e-mail address.
 * @throws AppError validation_failed for a common password, and what the called functions throw.
 */
export async function register(c: AppContext, registration: Registration): Promise<RegisteredUser> {
  const { db, language } = c.var;
  if (isCommonPassword(registration.password)) throw invalidField('password', 'password_common');
  await countRegistration(c, registration);
  const now = Date.now();
  const evidence = await judgeOwnEvidence(c, registration, now);
  const hash = await hashPassword(registration.password);
  const id = newId();
  const firstLink = newFirstLink(c, { id, email: registration.email });
  const user = await insertUser(db, { ...registration, id, evidence, language, firstLink }, hash, now);
  if (firstLink) continueAfterAnswer(c, queueFirstLink(c.env, firstLink));
  return user;
}

/**
 * Checks the evidence for the phone number.
 * @throws AppError invalid_code if it proves another phone number, and what `judgeEvidence` throws.
 */
async function judgeOwnEvidence(c: AppContext, registration: Registration, now: number): Promise<Evidence | null> {
  const { whatsapp_number: number } = registration;
  const asked = { kind: 'prove_number', subject: number, address: clientAddress(c) } as const;
  const evidence = await judgeEvidence(c, registration, asked, now);
  if (evidence && evidence.number !== number) throw new AppError('invalid_code');
  return evidence;
}

/**
 * Counts the registration towards the limit on registrations from one IP address.
 * @throws AppError too_many_requests, or suspended if the e-mail address or phone number is barred (limits/bars.ts).
 */
async function countRegistration(c: AppContext, { email, whatsapp_number: number }: Registration): Promise<void> {
  const { config, db } = c.var;
  const now = Date.now();
  const turns = allowancesOf(config, 'registration_address', clientAddress(c));
  const bars = [barOf(config, 'email', emailKey(email)), barOf(config, 'number', number)];
  const { turn, barred } = await batch(db, { turn: takeTurnIfLeft(db, turns, now), barred: selectBars(db, bars, now) });
  assertTurn(turn.wait, now);
  assertNotBarred(barred);
}

type NewUser = Pick<Registration, 'username' | 'email' | 'whatsapp_number'> & {
  language?: Language;
  /** The proof that the phone number is the person's own. Without this proof, the number is stored as unproven. */
  evidence?: Evidence | null;
  id?: string;
  firstLink?: FirstLink | null;
};

/**
 * @throws AppError email_taken or phone_taken if another account has the e-mail address or the phone number (both
 * columns are unique). If `evidence` is given, also what `assertTaken` throws. After a failure the evidence can still
 * be used.
 */
export async function insertUser(db: Db, user: NewUser, passwordHash: string, now: number) {
  const { username, email, whatsapp_number: number, evidence = null, language = FALLBACK_LANGUAGE } = user;
  const { id = newId(), firstLink = null } = user;
  const linked = firstLink ? insertFirstLink(db, firstLink, now) : {};
  const account = (condition: SQL) =>
    db.run(sql`
      insert into users (id, username, email, email_key, password_hash, language, created_at)
      select ${id}, ${username}, ${email}, ${emailKey(email)}, ${passwordHash}, ${language}, ${now} where ${condition}`);
  try {
    if (evidence === null) {
      await batch(db, {
        insertUser: account(sql`true`),
        insertNumber: db.insert(phoneNumbers).values({ number, userId: id }),
        linked,
      });
    } else {
      const newNumber = { evidence, userId: id, now };
      const { taken } = await batch(db, {
        formerHold: endFormerHold(db, newNumber),
        insertUser: account(hasReservedNumber(newNumber)),
        insertNumber: insertNumber(db, newNumber),
        taken: selectUsedBy(db, newNumber),
        linked,
      });
      assertTaken(taken, newNumber);
    }
  } catch (error) {
    const column = violatedUniqueColumn(error);
    if (column === 'users.email_key') throw new AppError('email_taken');
    if (column === 'phone_numbers.number') throw new AppError('phone_taken');
    throw error;
  }
  return { id, username, email };
}
