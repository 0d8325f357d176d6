import type { SQL } from 'drizzle-orm';
import { Hono } from 'hono';
import {
  type ResetPassword,
  resetPasswordSchema,
  resetRequestSchema,
  type Success,
  type VerifyCode,
  verifyCodeSchema,
} from '#contract/recovery.ts';
import { hashPassword, isCommonPassword, strangerTurns } from '#worker/accounts/index.ts';
import { closeSockets } from '#worker/devices/index.ts';
import { AppError, invalidField } from '#worker/errors/app-error.ts';
import { log } from '#worker/errors/log.ts';
import { continueAfterAnswer } from '#worker/http/after-answer.ts';
import type { AppContext, AppEnv } from '#worker/http/app-env.ts';
import { clientAddress } from '#worker/http/client-address.ts';
import { requireJson, validate } from '#worker/http/validate.ts';
import { fingerprint } from '#worker/identity/fingerprint.ts';
import { newId } from '#worker/identity/ids.ts';
import { assertTurn, assertTurns } from '#worker/limits/turns.ts';
import { deliverNotices, tellPasswordChanged } from '#worker/notices/index.ts';
import { deriveCode, digestResetCode, queueCode, startCode } from '#worker/whatsapp/index.ts';
import { assertRight, CODE_LIFETIME_MS, type Judgement, RESET_LIFETIME_MS } from './recovery-rules.ts';
import { findRequester } from './requester.ts';
import { type Guess, insertCode, judgeGuess, setPassword } from './store.ts';

const SUCCESS: Success = { success: true };

export const recoveryRoutes = new Hono<AppEnv>()
  .post('/request-password-reset', requireJson, validate('json', resetRequestSchema), async (c) => {
    await requestCode(c, c.req.valid('json').whatsapp_number);
    return c.json(SUCCESS);
  })
  .post('/verify-code', requireJson, validate('json', verifyCodeSchema), async (c) => {
    await assertGuess(c, await toGuess(c, c.req.valid('json')), CODE_LIFETIME_MS);
    return c.json(SUCCESS);
  })
  .post('/reset-password', requireJson, validate('json', resetPasswordSchema), async (c) => {
    await resetPassword(c, c.req.valid('json'));
    return c.json(SUCCESS);
  });

/** Does the same for every number; only the queue's consumer finds out whether it has an account. */
async function requestCode(c: AppContext, number: string): Promise<void> {
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

async function resetPassword(c: AppContext, input: ResetPassword): Promise<void> {
  const { config, db } = c.var;
  // Before the code is checked, so that a common password does not cost a try.
  if (isCommonPassword(input.new_password)) throw invalidField('new_password', 'password_common');
  const guess = await toGuess(c, input);
  const judgement = await assertGuess(c, guess, RESET_LIFETIME_MS);
  const hash = await hashPassword(input.new_password);
  const signIns = strangerTurns(config, judgement.state?.email_key ?? '', clientAddress(c));
  const noticeId = newId();
  const tell = (userId: SQL) => tellPasswordChanged(db, userId, noticeId, guess.now);
  const userId = await setPassword(db, guess, hash, signIns, tell);
  if (userId === null) throw new AppError('invalid_code');
  log.info('password_reset', { user_id: userId });
  continueAfterAnswer(c, closeSockets(c.env, db, userId));
  continueAfterAnswer(c, deliverNotices(c.env, db, [noticeId]));
}

/** @throws AppError invalid_code, code_expired or too_many_requests, unless the guess is right. */
async function assertGuess(c: AppContext, guess: Guess, lifetimeMs: number): Promise<Judgement> {
  const judgement = await judgeGuess(c.var.db, guess, lifetimeMs);
  if (judgement.isRight === null) await assertTurns(c.var.db, guess.requester.guesses, guess.now);
  assertRight(judgement);
  return judgement;
}

async function toGuess(c: AppContext, input: VerifyCode): Promise<Guess> {
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
