import { type EmailJob, QUEUE_DELAY_MAX_SECONDS } from '#contract/notice-jobs.ts';
import type { Db } from '#worker/db/client.ts';
import { type Env, readConfig } from '#worker/env.ts';
import { log } from '#worker/errors/log.ts';
import { codeOf, judgeFailure, retryDelaySeconds } from './binding-errors.ts';
import type { Email } from './email-rules.ts';
import { prepareEmail } from './prepare-email.ts';
import { claimMessage, forgetProof, LEASE_MS, type Message, recordAccepted, recordUnsent } from './store.ts';

/** When the queue should redeliver the job; null when it is settled. */
export type Outcome = { retryInSeconds: number | null };

const SETTLED: Outcome = { retryInSeconds: null };

/** Claims the e-mail, sends it and records the outcome. */
export async function sendEmail(env: Env, db: Db, job: EmailJob, attempt: number): Promise<Outcome> {
  const config = readConfig(env);
  if (!config.email.isAvailable) return drop(job, 'not_set_up');
  const now = Date.now();
  const prepared = await prepareEmail({ env, db, config }, job, now);
  if (prepared.step === 'drop') return drop(job, 'ended');
  if (prepared.step === 'hold')
    return { retryInSeconds: Math.min(Math.ceil((prepared.until - now) / 1000), QUEUE_DELAY_MAX_SECONDS) };
  const { message } = prepared;
  const claim = await claimMessage(db, message, now);
  if (claim === 'being_sent') return { retryInSeconds: LEASE_MS / 1000 };
  if (claim === 'settled') return drop(job, 'settled_before');
  const { from, isLocal } = config.email;
  try {
    if (!isLocal && from !== null) await sendByPlatform(env, from, message.email);
  } catch (error) {
    return settleFailure(env, db, { job, attempt, message }, codeOf(error));
  }
  // If this fails the queue redelivers the job, and the e-mail is sent twice rather than never.
  await recordAccepted(db, message, isLocal ? message.email : null, Date.now());
  log.info('email_accepted', { kind: message.email.kind, attempt });
  return SETTLED;
}

async function sendByPlatform({ EMAIL }: Env, from: string, { to, subject, text, html, headers }: Email) {
  await EMAIL.send({ to, from, subject, text, html, headers });
}

type Failed = { job: EmailJob; attempt: number; message: Message };

async function settleFailure(env: Env, db: Db, { job, attempt, message }: Failed, errorCode: string | null) {
  const verdict = judgeFailure(errorCode);
  const { kind, to } = message.email;
  log[verdict === 'alarm' ? 'error' : 'warn']('email_refused', { kind, attempt, error_code: errorCode, verdict });
  const retryInSeconds = verdict === 'retry' || verdict === 'alarm' ? retryDelaySeconds(attempt) : null;
  if (verdict === 'address_refused') await forgetProof(db, to);
  else if (retryInSeconds === null) await env.EMAIL_DEAD_QUEUE.send(job, { contentType: 'json' });
  const status = retryInSeconds === null ? 'failed' : 'waiting';
  await recordUnsent(db, message.id, { status, errorCode }, Date.now());
  return { retryInSeconds };
}

function drop({ kind }: EmailJob, reason: 'not_set_up' | 'ended' | 'settled_before'): Outcome {
  log.info('email_dropped', { kind, reason });
  return SETTLED;
}
