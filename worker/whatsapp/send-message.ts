import { FALLBACK_LANGUAGE, type Language } from '#contract/language.ts';
import type { WhatsappJob } from '#contract/whatsapp.ts';
import type { Db } from '#worker/db/client.ts';
import type { Config, Env } from '#worker/env.ts';
import { errorName } from '#worker/errors/error-name.ts';
import { log } from '#worker/errors/log.ts';
import { type SendResult, sendByCloudApi } from './cloud-api.ts';
import { judgeFailure } from './graph-errors.ts';
import type { Delivery } from './job.ts';
import { sendLocally } from './local-transport.ts';
import { type Claim, claimMessage, recordAccepted } from './message-store.ts';
import { type Outcome, putOff, SETTLED, settleFailure } from './settle-failure.ts';
import { composeMessage } from './templates.ts';

const REQUEST_TIMEOUT_MS = 10_000;

/** Claims the message, sends it and records what came of it. */
export async function sendMessage(env: Env, db: Db, config: Config, delivery: Delivery): Promise<Outcome> {
  const { job } = delivery;
  if (job.kind === 'community_decision' && config.whatsapp.decisionTemplate === null) return SETTLED;
  const claim = await claimMessage(db, config, delivery, Date.now());
  if (claim.state === 'dropped') {
    log.info('whatsapp_dropped', { kind: job.kind, reason: claim.reason });
    return SETTLED;
  }
  if (claim.state === 'no_room') log.error('whatsapp_recipients_used_up', { kind: job.kind });
  if (claim.state !== 'claimed') return putOff(env, db, delivery, claim);
  const { result, language } = await sendInSomeLanguage(config, job, claim);
  if (!('failure' in result)) {
    await keepAccepted(db, delivery, language, result.wamid);
    return SETTLED;
  }
  return settleFailure(env, db, delivery, { failure: result.failure, expiresAt: claim.expiresAt });
}

type Claimed = Extract<Claim, { state: 'claimed' }>;

/** In the language of the request; in English where the template has not been approved in that language. */
async function sendInSomeLanguage(config: Config, job: WhatsappJob, claim: Claimed) {
  const result = await send(config, job, claim, job.language);
  const isMissing = 'failure' in result && judgeFailure(result.failure) === 'other_language';
  if (!isMissing || job.language === FALLBACK_LANGUAGE) return { result, language: job.language };
  log.error('whatsapp_template_missing', { kind: job.kind, language: job.language });
  return { result: await send(config, job, claim, FALLBACK_LANGUAGE), language: FALLBACK_LANGUAGE };
}

async function send(
  config: Config,
  job: WhatsappJob,
  { to, expiresAt }: Claimed,
  language: Language,
): Promise<SendResult> {
  const message = composeMessage(config, job, to, language);
  if (!message) return { failure: { code: null, httpStatus: null } };
  if (config.whatsapp.transport === 'local') return sendLocally(message);
  // A code must not be on its way any more once it has expired.
  const timeoutMs = Math.min(REQUEST_TIMEOUT_MS, expiresAt - Date.now());
  if (timeoutMs <= 0) return { failure: { code: null, httpStatus: null } };
  return sendByCloudApi(config.whatsapp, message, timeoutMs);
}

/** A failure to record is no reason to send again, so it is told and no more: the claim stays, and keeps others off. */
async function keepAccepted(db: Db, { job, attempt }: Delivery, language: Language, wamid: string | null) {
  try {
    await recordAccepted(db, job, language, wamid, Date.now());
    log.info('whatsapp_accepted', { kind: job.kind, attempt });
  } catch (error) {
    log.error('whatsapp_acceptance_not_recorded', { name: errorName(error) });
  }
}
