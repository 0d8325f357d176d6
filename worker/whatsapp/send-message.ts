import type { NoticeWhatsappJob, QueueJob, WhatsappJob } from '#contract/jobs.ts';
import { FALLBACK_LANGUAGE, type Language } from '#contract/language.ts';
import { listSwitchedOff } from '#worker/admin/switches.ts';
import { type Db, openDb } from '#worker/db/client.ts';
import { type Config, type Env, readConfig } from '#worker/env.ts';
import { type Consume, consumeEach } from '#worker/errors/consume-messages.ts';
import { errorName, log } from '#worker/errors/log.ts';
import { recordHeartbeat } from '#worker/health/heartbeat.ts';
import { decideBeforeSending, hasLostPhone, type SendDecision } from '#worker/notices/reach.ts';
import type { WaitingNotices } from '#worker/notices/read-notices.ts';
import { type SendResult, sendByCloudApi, sendLocally } from './cloud-api.ts';
import { composeMessage } from './compose-message.ts';
import {
  BASE_DELAY_SECONDS,
  judgeFailure,
  LONGEST_DELAY_SECONDS,
  leastDelaySeconds,
  MAX_ATTEMPTS,
  MAX_DELAY_SECONDS,
  MAX_NOTICE_ATTEMPTS,
  PAUSE_SECONDS,
  pauseDelaySeconds,
  retryDelaySeconds,
  type SendFailure,
  type Verdict,
} from './failures.ts';
import { type Delivery, isHeartbeat, messageIdOf } from './queue-message.ts';
import {
  type Accepted,
  pauseSending,
  type Reservation,
  recordAccepted,
  recordDeadLetter,
  recordFailed,
  releaseMessage,
  takeMessage,
} from './take-message.ts';

/** Consumes both queues of WhatsApp messages: one for messages with notices, one for all other messages. */
export function consumeMessages(batch: MessageBatch<QueueJob>, env: Env): Promise<void> {
  return consumeEachMessage(batch, async ({ body: job, attempts: attempt, timestamp }) => {
    if (isHeartbeat(job)) {
      await recordHeartbeat(openDb(env), Date.now());
      return null;
    }
    const delivery = { job, attempt, queuedAt: timestamp.getTime() };
    const { retryInSeconds } = await sendMessage(env, openDb(env), readConfig(env), delivery);
    return retryInSeconds;
  });
}

/**
 * Records which message was given up, without its content. Does not record heartbeats, because the health check reports
 * missing heartbeats.
 */
export function consumeDeadMessages(batch: MessageBatch<QueueJob>, env: Env): Promise<void> {
  return consumeEachMessage(batch, async ({ body: job }) => {
    if (isHeartbeat(job)) return null;
    const letter = { id: messageIdOf(job), kind: job.kind };
    await recordDeadLetter(openDb(env), letter, Date.now());
    log.error('whatsapp_dead_letter', letter);
    return null;
  });
}

function consumeEachMessage(batch: MessageBatch<QueueJob>, consume: Consume<QueueJob>): Promise<void> {
  return consumeEach(batch, consume, {
    failedEvent: 'whatsapp_consumer_failed',
    retrySeconds: { first: BASE_DELAY_SECONDS, most: MAX_DELAY_SECONDS },
  });
}

const REQUEST_TIMEOUT_MS = 10_000;

/** Reserves the message of a job, sends it, and records the outcome. */
async function sendMessage(env: Env, db: Db, config: Config, delivery: Delivery): Promise<Outcome> {
  const { job } = delivery;
  if (job.kind === 'community_decision') {
    if (config.whatsapp.decisionTemplate === null) return DONE;
    if ((await listSwitchedOff(db)).includes('whatsapp_notices')) return drop(job, 'switched_off');
    if (await hasLostPhone(db, job.recipientId)) return drop(job, 'phone_lost');
  }
  const decision = job.kind === 'match_notice' ? await decideOnNotices({ env, db, config }, job) : null;
  if (decision?.step === 'drop') return drop(job, 'ended');
  if (decision?.step === 'hold') return holdBack(decision.until);
  const about = decision?.about ?? null;
  const reservation = await takeMessage(db, config, delivery, Date.now());
  if (reservation.state === 'dropped') return drop(job, reservation.reason);
  if (reservation.state === 'no_room') log.error('whatsapp_recipients_used_up', { kind: job.kind });
  if (reservation.state !== 'taken') return putOff(env, db, delivery, reservation);
  const { result, language } = await sendInSomeLanguage(config, job, { ...reservation, about });
  if (!('failure' in result)) {
    const { to } = reservation;
    await keepAccepted(db, delivery, { language, wamid: result.wamid, to, noticeIds: about?.noticeIds ?? [] });
    return DONE;
  }
  return recordFailure(env, db, delivery, { failure: result.failure, expiresAt: reservation.expiresAt });
}

/**
 * Decides whether to send notices now. Drops all notices if `matchTemplate` is null: the template is not set up, or we
 * lack the secret that verifies the STOP messages with which people unsubscribe.
 */
function decideOnNotices(context: { env: Env; db: Db; config: Config }, job: NoticeWhatsappJob): Promise<SendDecision> {
  const isSetUp = context.config.whatsapp.matchTemplate !== null;
  return isSetUp ? decideBeforeSending(context, job, Date.now()) : Promise.resolve({ step: 'drop' });
}

function drop({ kind }: WhatsappJob, reason: string): Outcome {
  log.info('whatsapp_dropped', { kind, reason });
  return DONE;
}

/** Leaves the message on the queue until the quiet hours end. */
function holdBack(until: number): Outcome {
  return { retryInSeconds: Math.min(Math.ceil((until - Date.now()) / 1000), LONGEST_DELAY_SECONDS) };
}

type Taken = Extract<Reservation, { state: 'taken' }> & { about: WaitingNotices | null };

/** Sends in the job's language. If Meta has not approved the template in this language, sends in English. */
async function sendInSomeLanguage(config: Config, job: WhatsappJob, reservation: Taken) {
  const result = await send(config, job, reservation, job.language);
  const isMissing = 'failure' in result && judgeFailure(result.failure) === 'other_language';
  if (!isMissing || job.language === FALLBACK_LANGUAGE) return { result, language: job.language };
  log.error('whatsapp_template_missing', { kind: job.kind, language: job.language });
  return { result: await send(config, job, reservation, FALLBACK_LANGUAGE), language: FALLBACK_LANGUAGE };
}

async function send(
  config: Config,
  job: WhatsappJob,
  { to, expiresAt, about }: Taken,
  language: Language,
): Promise<SendResult> {
  const message = composeMessage(config, job, { to, language, about });
  if (!message) return { failure: { code: null, httpStatus: null } };
  if (config.whatsapp.transport === 'local') return sendLocally(message);
  // The request ends before the message expires, so that no expired code is sent.
  const timeoutMs = Math.min(REQUEST_TIMEOUT_MS, expiresAt - Date.now());
  if (timeoutMs <= 0) return { failure: { code: null, httpStatus: null } };
  return sendByCloudApi(config.whatsapp, message, timeoutMs);
}

/**
 * Records that Meta has accepted the message. A failure to record this is only logged: a retry would send the message
 * twice.
 */
async function keepAccepted(db: Db, { job, attempt }: Delivery, accepted: Accepted): Promise<void> {
  try {
    await recordAccepted(db, job, accepted, Date.now());
    log.info('whatsapp_accepted', { kind: job.kind, attempt });
  } catch (error) {
    log.error('whatsapp_acceptance_not_recorded', { name: errorName(error) });
  }
}

/** When the queue should deliver the job again; null if the job is finished. */
type Outcome = { retryInSeconds: number | null };

const DONE: Outcome = { retryInSeconds: null };

type Failed = { failure: SendFailure; expiresAt: number };

/** Decides what happens to a message that Meta has refused. */
async function recordFailure(env: Env, db: Db, delivery: Delivery, failed: Failed): Promise<Outcome> {
  const { job, attempt } = delivery;
  const { code: errorCode, httpStatus } = failed.failure;
  // Here `other_language` means that even the English template is missing, so Meta would refuse every message with
  // this template.
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

/** Leaves the message on the queue until it may be sent. Gives the message up if it will be useless by then. */
async function putOff(
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

/**
 * Moves the job to the dead letters immediately. If the job stayed on its queue, a retry would send the message again.
 */
async function sendToDeadLetters(env: Env, db: Db, job: WhatsappJob, errorCode: number | null): Promise<Outcome> {
  await env.WHATSAPP_DEAD_QUEUE.send(job, { contentType: 'json' });
  await recordFailed(db, job, errorCode, Date.now());
  return DONE;
}
