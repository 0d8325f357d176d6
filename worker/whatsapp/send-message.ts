import { FALLBACK_LANGUAGE, type Language } from '#contract/language.ts';
import type { NoticeWhatsappJob } from '#contract/notice-jobs.ts';
import type { WhatsappJob } from '#contract/whatsapp.ts';
import type { Db } from '#worker/db/client.ts';
import type { Config, Env } from '#worker/env.ts';
import { errorName } from '#worker/errors/error-name.ts';
import { log } from '#worker/errors/log.ts';
import type { WaitingNotices } from '#worker/notices/index.ts';
import { hasLostPhone, type Look, lookAgain } from '#worker/reach/index.ts';
import { listSwitchedOff } from '#worker/switches/index.ts';
import { type SendResult, sendByCloudApi } from './cloud-api.ts';
import { judgeFailure } from './graph-errors.ts';
import type { Delivery } from './job.ts';
import { sendLocally } from './local-transport.ts';
import { type Accepted, recordAccepted } from './message-store.ts';
import { LONGEST_DELAY_SECONDS } from './retry-rules.ts';
import { type Outcome, putOff, SETTLED, settleFailure } from './settle-failure.ts';
import { type Taking, takeMessage } from './take-message-store.ts';
import { composeMessage } from './templates.ts';

const REQUEST_TIMEOUT_MS = 10_000;

/** Takes the message, sends it and records the outcome. */
export async function sendMessage(env: Env, db: Db, config: Config, delivery: Delivery): Promise<Outcome> {
  const { job } = delivery;
  if (job.kind === 'community_decision') {
    if (config.whatsapp.decisionTemplate === null) return SETTLED;
    if ((await listSwitchedOff(db)).includes('whatsapp_notices')) return drop(job, 'switched_off');
    if (await hasLostPhone(db, job.recipientId)) return drop(job, 'phone_lost');
  }
  const look = job.kind === 'match_notice' ? await lookAtNotices({ env, db, config }, job) : null;
  if (look?.step === 'drop') return drop(job, 'ended');
  if (look?.step === 'hold') return holdBack(look.until);
  const about = look?.about ?? null;
  const taking = await takeMessage(db, config, delivery, Date.now());
  if (taking.state === 'dropped') return drop(job, taking.reason);
  if (taking.state === 'no_room') log.error('whatsapp_recipients_used_up', { kind: job.kind });
  if (taking.state !== 'taken') return putOff(env, db, delivery, taking);
  const { result, language } = await sendInSomeLanguage(config, job, { ...taking, about });
  if (!('failure' in result)) {
    const { to } = taking;
    await keepAccepted(db, delivery, { language, wamid: result.wamid, to, noticeIds: about?.noticeIds ?? [] });
    return SETTLED;
  }
  return settleFailure(env, db, delivery, { failure: result.failure, expiresAt: taking.expiresAt });
}

/** Sends nothing without a template, or if we could not receive a STOP. */
function lookAtNotices(context: { env: Env; db: Db; config: Config }, job: NoticeWhatsappJob): Promise<Look> {
  const isSetUp = context.config.whatsapp.matchTemplate !== null;
  return isSetUp ? lookAgain(context, job, Date.now()) : Promise.resolve({ step: 'drop' });
}

function drop({ kind }: WhatsappJob, reason: string): Outcome {
  log.info('whatsapp_dropped', { kind, reason });
  return SETTLED;
}

/** Leaves the message on the queue until the quiet hours end. */
function holdBack(until: number): Outcome {
  return { retryInSeconds: Math.min(Math.ceil((until - Date.now()) / 1000), LONGEST_DELAY_SECONDS) };
}

type Taken = Extract<Taking, { state: 'taken' }> & { about: WaitingNotices | null };

/** In the job's language, or in English if the template has not been approved in that language. */
async function sendInSomeLanguage(config: Config, job: WhatsappJob, taking: Taken) {
  const result = await send(config, job, taking, job.language);
  const isMissing = 'failure' in result && judgeFailure(result.failure) === 'other_language';
  if (!isMissing || job.language === FALLBACK_LANGUAGE) return { result, language: job.language };
  log.error('whatsapp_template_missing', { kind: job.kind, language: job.language });
  return { result: await send(config, job, taking, FALLBACK_LANGUAGE), language: FALLBACK_LANGUAGE };
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
  // A code must not be sent after it has expired.
  const timeoutMs = Math.min(REQUEST_TIMEOUT_MS, expiresAt - Date.now());
  if (timeoutMs <= 0) return { failure: { code: null, httpStatus: null } };
  return sendByCloudApi(config.whatsapp, message, timeoutMs);
}

/** A failure to record is only logged, as retrying would send the message again. The message stays taken, which prevents that. */
async function keepAccepted(db: Db, { job, attempt }: Delivery, accepted: Accepted): Promise<void> {
  try {
    await recordAccepted(db, job, accepted, Date.now());
    log.info('whatsapp_accepted', { kind: job.kind, attempt });
  } catch (error) {
    log.error('whatsapp_acceptance_not_recorded', { name: errorName(error) });
  }
}
