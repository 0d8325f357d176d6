import { sql } from 'drizzle-orm';
import type { ResetPassword } from '#contract/recovery.ts';
import { isCommonPassword } from '#worker/accounts/common-passwords.ts';
import { endDevices } from '#worker/accounts/devices.ts';
import { hashPassword } from '#worker/accounts/password.ts';
import { strangerTurns } from '#worker/accounts/sign-in.ts';
import { closeSockets } from '#worker/accounts/sign-out.ts';
import { batch, type Db } from '#worker/db/client.ts';
import { idRow, queryFirst } from '#worker/db/statements.ts';
import { AppError, invalidField } from '#worker/errors/app-error.ts';
import { log } from '#worker/errors/log.ts';
import { type AppContext, clientAddress, continueAfterAnswer } from '#worker/http/context.ts';
import { newId } from '#worker/identity/digests.ts';
import { forgetTurns, type Turns } from '#worker/limits/attempts.ts';
import { deliverNotices } from '#worker/notices/deliver-notices.ts';
import { notifyOfNewPassword } from '#worker/notices/keep-notice.ts';
import { endSubscriptionsOfUser } from '#worker/push/subscriptions.ts';
import { assertGuess, type Guess, RESET_LIFETIME_MS, toGuess } from './reset-code.ts';

export async function resetPassword(c: AppContext, input: ResetPassword): Promise<void> {
  const { config, db } = c.var;
  // A common password is refused before the code is checked, so that the attempt does not count as a guess at the code.
  if (isCommonPassword(input.new_password)) throw invalidField('new_password', 'password_common');
  const guess = await toGuess(c, input);
  const judgement = await assertGuess(c, guess, RESET_LIFETIME_MS);
  const hash = await hashPassword(input.new_password);
  const signIns = strangerTurns(config, judgement.state?.email_key ?? '', clientAddress(c));
  const noticeId = newId();
  const userId = await setPassword(db, guess, { hash, signIns, noticeId });
  if (userId === null) throw new AppError('invalid_code');
  log.info('password_reset', { user_id: userId });
  continueAfterAnswer(c, closeSockets(c.env, db, userId));
  continueAfterAnswer(c, deliverNotices(c.env, db, [noticeId]));
}

/**
 * Sets the password and uses up the code, in one transaction, so that a code works only once. Also ends the
 * account's sessions and revokes their tokens. Marks the phone number as proven, because the person received the code
 * on it.
 * @param signIns the account's limits on failed sign-ins, which are reset.
 * @param noticeId the id for the notice about the new password.
 * @returns the user's id, or null if the code has expired, or was used or replaced in the meantime.
 */
export async function setPassword(
  db: Db,
  guess: Guess,
  { hash, signIns, noticeId }: { hash: string; signIns: Turns; noticeId: string },
) {
  const { number, numberKey, codeDigest, requester, now } = guess;
  const isUsable = sql`
    number_key = ${numberKey} and code_digest = ${codeDigest} and used_at is null and verified_at is not null
    and issued_at > ${now - RESET_LIFETIME_MS}`;
  const account = sql`(select user_id from reset_codes where ${isUsable})`;
  const { user } = await batch(db, {
    user: queryFirst(db, idRow)`
      update users set password_hash = ${hash}, token_version = token_version + 1
      where id = ${account} returning id`,
    updatePhoneNumbers: db.run(
      sql`update phone_numbers set proven_at = ${now} where number = ${number} and user_id = ${account}`,
    ),
    endDevices: endDevices(db, sql`user_id = ${account}`, now),
    endSubscriptionsOfUser: endSubscriptionsOfUser(db, account),
    keepNotice: notifyOfNewPassword(db, account, noticeId, now),
    updateResetCodes: db.run(sql`update reset_codes set used_at = ${now} where ${isUsable}`),
    forgetTurns: forgetTurns(db, [...signIns, ...requester.guesses]),
  });
  return user?.id ?? null;
}
