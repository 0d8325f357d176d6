import { type EmailJob, type EmailLinkJob, type NoticeEmailJob, QUEUE_DELAY_MAX_SECONDS } from '#contract/jobs.ts';
import { type Db, openDb } from '#worker/db/client.ts';
import { type Config, type Env, readConfig } from '#worker/env.ts';
import { type Consume, consumeEach } from '#worker/errors/consume-messages.ts';
import { log } from '#worker/errors/log.ts';
import { decideBeforeSending } from '#worker/notices/reach.ts';
import { composeConfirmation, composeNotice, type Email } from './compose-email.ts';
import { toToken } from './prove-email.ts';
import {
  claimMessage,
  findLink,
  findRecipient,
  forgetProof,
  LEASE_MS,
  type Message,
  recordAccepted,
  recordUnsent,
} from './record-email.ts';
import { toUnsubscribing } from './unsubscribe.ts';

export function consumeEmails(batch: MessageBatch<EmailJob>, env: Env): Promise<void> {
  return consumeEachEmail(batch, async ({ body, attempts }) => {
    const { retryInSeconds } = await sendEmail(env, openDb(env), body, attempts);
    return retryInSeconds;
  });
}

/** Records as failed the e-mails that the queue no longer retries. Logs their ids, but not their content. */
export function consumeDeadEmails(batch: MessageBatch<EmailJob>, env: Env): Promise<void> {
  return consumeEachEmail(batch, async ({ body }) => {
    const id = messageIdOf(body);
    await recordUnsent(openDb(env), id, { status: 'failed', errorCode: null }, Date.now());
    log.error('email_dead_letter', { id, kind: body.kind });
    return null;
  });
}

function consumeEachEmail(batch: MessageBatch<EmailJob>, consume: Consume<EmailJob>): Promise<void> {
  return consumeEach(batch, consume, {
    failedEvent: 'email_consumer_failed',
    retrySeconds: { first: BASE_DELAY_SECONDS, most: MAX_DELAY_SECONDS },
  });
}

/** After how many seconds the queue should redeliver the job; null if the job is done. */
type Outcome = { retryInSeconds: number | null };

const DONE: Outcome = { retryInSeconds: null };

/** Reserves the e-mail, sends it and records the outcome. */
async function sendEmail(env: Env, db: Db, job: EmailJob, attempt: number): Promise<Outcome> {
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
  if (claim === 'finished') return drop(job, 'settled_before');
  const { from, isLocal } = config.email;
  try {
    if (!isLocal && from !== null) await sendByPlatform(env, from, message.email);
  } catch (error) {
    return recordFailure(env, db, { job, attempt, message }, codeOf(error));
  }
  // If this call fails, the queue redelivers the job, and the e-mail is sent twice rather than never.
  await recordAccepted(db, message, isLocal ? message.email : null, Date.now());
  log.info('email_accepted', { kind: message.email.kind, attempt });
  return DONE;
}

async function sendByPlatform({ EMAIL }: Env, from: string, { to, subject, text, html, headers }: Email) {
  await EMAIL.send({ to, from, subject, text, html, headers });
}

type Failed = { job: EmailJob; attempt: number; message: Message };

async function recordFailure(env: Env, db: Db, { job, attempt, message }: Failed, errorCode: string | null) {
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
  return DONE;
}

type Context = { env: Env; db: Db; config: Config };

/** Returns the id of a job's e-mail, which is the same for every delivery by the queue. */
function messageIdOf(job: EmailJob): string {
  return job.kind === 'confirm_email' ? job.linkId : job.messageId;
}

/** What to do about a job now. */
type Prepared = { step: 'send'; message: Message } | { step: 'hold'; until: number } | { step: 'drop' };

const DROP: Prepared = { step: 'drop' };

function prepareEmail(context: Context, job: EmailJob, now: number): Promise<Prepared> {
  return job.kind === 'confirm_email' ? prepareConfirmation(context, job, now) : prepareNotice(context, job, now);
}

async function prepareConfirmation({ db, config }: Context, { linkId }: EmailLinkJob, now: number): Promise<Prepared> {
  const link = await findLink(db, linkId, now);
  if (!link) return DROP;
  const { id: recipientId, ...addressed } = link;
  const email = composeConfirmation({ ...addressed, id: linkId }, toToken(config.keys.code, linkId));
  return { step: 'send', message: { id: linkId, recipientId, email, noticeIds: [] } };
}

async function prepareNotice(context: Context, job: NoticeEmailJob, now: number): Promise<Prepared> {
  const { messageId: id, userId, language } = job;
  const recipient = await findRecipient(context.db, userId);
  if (!recipient) return DROP;
  const decision = await decideBeforeSending(context, job, now);
  if (decision.step !== 'send') return decision;
  const { isMatch, claimId, title, waiting, noticeIds } = decision.about;
  const { to, origin } = recipient;
  const unsubscribing = toUnsubscribing(context.config.keys.code, { userId, email: to });
  const kind = isMatch ? 'match_notice' : 'claim_notice';
  const email = composeNotice({ id, to, origin, language, kind, claimId, title, waiting, unsubscribing });
  return { step: 'send', message: { id, recipientId: userId, email, noticeIds } };
}

/**
 * What to do about an e-mail that Cloudflare refused: retry, retry and raise an alarm, give up, or stop writing to the
 * address, because earlier e-mails to it have bounced or were reported as spam.
 */
export type Verdict = 'retry' | 'alarm' | 'give_up' | 'address_refused';

const VERDICTS: Readonly<Record<string, Verdict>> = {
  E_RECIPIENT_SUPPRESSED: 'address_refused',
  E_SENDER_NOT_VERIFIED: 'alarm',
  E_SENDER_DOMAIN_NOT_AVAILABLE: 'alarm',
  E_DAILY_LIMIT_EXCEEDED: 'alarm',
  E_RECIPIENT_NOT_ALLOWED: 'give_up',
  E_VALIDATION_ERROR: 'give_up',
  E_FIELD_MISSING: 'give_up',
  E_CONTENT_TOO_LARGE: 'give_up',
  E_TOO_MANY_RECIPIENTS: 'give_up',
};

/** Error codes for invalid headers. A retry would send the same headers. */
const WRONG_HEADER = /^E_HEADERS?_/;

/** @param code Cloudflare's error code. If null or unknown, the e-mail is retried until its attempts are used up. */
export function judgeFailure(code: string | null): Verdict {
  if (code === null) return 'retry';
  return VERDICTS[code] ?? (WRONG_HEADER.test(code) ? 'give_up' : 'retry');
}

/** Returns only the error's code: its message may contain the e-mail address. */
export function codeOf(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'string' && /^\w{1,64}$/.test(code) ? code : null;
}

const BASE_DELAY_SECONDS = 30;
const MAX_DELAY_SECONDS = 60 * 60;
/** The most attempts to send an e-mail. They span about a day. */
export const MAX_ATTEMPTS = 28;

/** Returns the seconds until the next attempt, doubling from half a minute up to an hour; null after the last one. */
export function retryDelaySeconds(attempt: number): number | null {
  return attempt >= MAX_ATTEMPTS ? null : Math.min(BASE_DELAY_SECONDS * 2 ** (attempt - 1), MAX_DELAY_SECONDS);
}
