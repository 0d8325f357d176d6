import type { WhatsappJob } from '#contract/whatsapp.ts';
import type { Db } from '#worker/db/client.ts';
import type { Env } from '#worker/env.ts';
import { log } from '#worker/errors/log.ts';
import { judgeFailure, leastDelaySeconds, type SendFailure, type Verdict } from './graph-errors.ts';
import type { Delivery } from './job.ts';
import { recordFailed, releaseMessage } from './message-store.ts';
import { pauseSending } from './pause-store.ts';
import {
  LONGEST_DELAY_SECONDS,
  MAX_ATTEMPTS,
  MAX_NOTICE_ATTEMPTS,
  PAUSE_SECONDS,
  pauseDelaySeconds,
  retryDelaySeconds,
} from './retry-rules.ts';

/** When the queue should redeliver the job; null when it is settled. */
export type Outcome = { retryInSeconds: number | null };

export const SETTLED: Outcome = { retryInSeconds: null };

type Failed = { failure: SendFailure; expiresAt: number };

/** Decides what happens to a message that Meta has refused. */
export async function settleFailure(env: Env, db: Db, delivery: Delivery, failed: Failed): Promise<Outcome> {
  const { job, attempt } = delivery;
  const { code: errorCode, httpStatus } = failed.failure;
  // English has been tried, too: without a template in English nobody gets such a message.
  const verdict = judgeFailure(failed.failure) === 'other_language' ? 'stop' : judgeFailure(failed.failure);
  const now = Date.now();
  const entry = { kind: job.kind, attempt, error_code: errorCode, http_status: httpStatus };
  if (verdict === 'stop') log.error('whatsapp_stopped', { ...entry, pause_seconds: PAUSE_SECONDS });
  else log.warn('whatsapp_refused', { ...entry, verdict });
  const retryInSeconds = chooseDelay(verdict, delivery, failed, now);
  if (retryInSeconds !== null) await releaseMessage(db, job, errorCode, now);
  if (verdict === 'stop') await pauseSending(db, job, { until: now + PAUSE_SECONDS * 1000, failure: failed.failure });
  return retryInSeconds === null ? sendToDeadLetters(env, db, job, errorCode) : { retryInSeconds };
}

function chooseDelay(verdict: Verdict, delivery: Delivery, { failure, expiresAt }: Failed, now: number): number | null {
  if (verdict === 'give_up') return null;
  const request = toRetryRequest(delivery, expiresAt, now);
  if (verdict === 'stop') return pauseDelaySeconds(PAUSE_SECONDS, request);
  return retryDelaySeconds({ ...request, leastSeconds: leastDelaySeconds(failure) });
}

/** Leaves the message on the queue until it may be sent, if it is still useful then. */
export async function putOff(
  env: Env,
  db: Db,
  delivery: Delivery,
  { until, expiresAt }: { until: number; expiresAt: number },
): Promise<Outcome> {
  const now = Date.now();
  const request = toRetryRequest(delivery, expiresAt, now);
  const delaySeconds = pauseDelaySeconds(Math.min((until - now) / 1000, LONGEST_DELAY_SECONDS), request);
  return delaySeconds === null ? sendToDeadLetters(env, db, delivery.job, null) : { retryInSeconds: delaySeconds };
}

function toRetryRequest({ job, attempt }: Delivery, expiresAt: number, now: number) {
  const maxAttempts = job.kind === 'match_notice' ? MAX_NOTICE_ATTEMPTS : MAX_ATTEMPTS;
  return { attempt, maxAttempts, remainingSeconds: (expiresAt - now) / 1000, random: Math.random() };
}

/** Moves the job to the dead letters immediately: retries until the queue does so would send it again. */
async function sendToDeadLetters(env: Env, db: Db, job: WhatsappJob, errorCode: number | null): Promise<Outcome> {
  await env.WHATSAPP_DEAD_QUEUE.send(job, { contentType: 'json' });
  await recordFailed(db, job, errorCode, Date.now());
  return SETTLED;
}
