import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, vi } from 'vitest';
import type { LocalEmail } from '#contract/channels.ts';
import type { EmailJob, PushJob, WhatsappJob } from '#contract/jobs.ts';
import type { Language } from '#contract/language.ts';
import { GraphApi } from '#tests/support/graph-api.ts';
import { PushService } from '#tests/support/push-service.ts';
import { openDb } from '#worker/db/client.ts';
import { consumeDeadEmails, consumeEmails } from '#worker/email/send-email.ts';
import { type Env, readConfig } from '#worker/env.ts';
import { deriveCode, digestResetCode } from '#worker/identity/codes.ts';
import { fingerprint } from '#worker/identity/digests.ts';
import { allowanceOf } from '#worker/limits/allowance.ts';
import { consumeDeadPushes, consumePushes } from '#worker/push/send-push.ts';
import { insertCode, startCode } from '#worker/recovery/reset-code.ts';
import { consumeDeadMessages, consumeMessages } from '#worker/whatsapp/send-message.ts';
import { type Caller, call } from './api.ts';

type JobDelivery<Job> = {
  queue: string;
  job: Job;
  consume: (batch: MessageBatch<Job>) => Promise<unknown>;
  attempts?: number;
  timestamp?: Date;
};

/** The result of `deliverJob` for a job that the consumer has acknowledged. */
export const SETTLED = { isAcked: true, retryIn: null };

/**
 * Delivers a job to its consumer, as the queue does. @returns whether the consumer acknowledged the job, and after how
 * many seconds the consumer wants a retry (null for no retry).
 */
async function deliverJob<Job>({ queue, job, consume, attempts = 1, timestamp = new Date() }: JobDelivery<Job>) {
  const id = crypto.randomUUID();
  const batch = createMessageBatch<Job>(queue, [{ id, timestamp, attempts, body: job }]);
  const [message] = batch.messages;
  let retryIn: number | null = null;
  if (message) {
    const retry = message.retry.bind(message);
    // The batch's result says that a message is retried, but not after how long.
    message.retry = (options) => {
      retryIn = options?.delaySeconds ?? 0;
      retry(options);
    };
  }
  await consume(batch);
  const { explicitAcks } = await getQueueResult(batch, createExecutionContext());
  return { isAcked: explicitAcks.includes(id), retryIn: retryIn as number | null };
}

export const PUSH_ORIGIN = 'https://fcm.googleapis.com';

/** Replaces `fetch` by a push service that records every request. Also records the dead letters. */
export function standInForPush(vars: Record<string, string> = {}) {
  const service = new PushService(PUSH_ORIGIN);
  const requests: RequestInit[] = [];
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    requests.push(init);
    return service.answer(new Request(url, init));
  });
  const deadLetters: PushJob[] = [];
  const send = async (job: PushJob) => void deadLetters.push(job);
  return { service, requests, deadLetters, env: { ...env, PUSH_DEAD_QUEUE: { send }, ...vars } as unknown as Env };
}

type Subscription = { endpoint: string; keys: { p256dh: string; auth: string } };

export function put({ endpoint, keys }: Subscription, person: { token: string }): Promise<Response> {
  return call('PUT', '/api/push/subscriptions', { endpoint, keys }, person);
}

/** Returns the person's push subscriptions, one for each browser, oldest first. */
export async function subscriptionsOf(person: { id: string }): Promise<{ id: string; endpoint: string }[]> {
  const { results } = await env.DB.prepare(
    'select id, endpoint from push_subscriptions where user_id = ? order by put_at, rowid',
  )
    .bind(person.id)
    .all<{ id: string; endpoint: string }>();
  return results;
}

/** Delivers a push job to its consumer (`deliverJob`). */
export function deliverPush(
  bindings: Env,
  job: PushJob,
  { attempts = 1, ageSeconds = 0, queue = 'patikana-push' } = {},
) {
  const timestamp = new Date(Date.now() - ageSeconds * 1000);
  const consume = queue.endsWith('-dead') ? consumeDeadPushes : consumePushes;
  return deliverJob({ queue, job, attempts, timestamp, consume: (batch) => consume(batch, bindings) });
}

export async function listEmails(to: string): Promise<LocalEmail[]> {
  const answer = await call('GET', `/api/dev/emails?to=${encodeURIComponent(to)}`);
  expect(answer.status).toBe(200);
  return answer.json<LocalEmail[]>();
}

/** Waits for this many e-mails to an e-mail address, and returns them newest first. */
export function waitForEmails(to: string, count = 1): Promise<LocalEmail[]> {
  return vi.waitFor(
    async () => {
      const emails = await listEmails(to);
      expect(emails.length).toBeGreaterThanOrEqual(count);
      return emails;
    },
    { timeout: 10_000, interval: 50 },
  );
}

export function linkIn({ text }: LocalEmail): URL {
  return new URL(/https?:\S+\/confirm-email#\S+/.exec(text)?.[0] ?? 'no:link');
}

export function tokenIn(email: LocalEmail): string {
  return linkIn(email).hash.slice(1);
}

export function confirm(token: unknown): Promise<Response> {
  return call('POST', '/api/auth/confirm-email', { token });
}

export function askForLink(person: Caller & { password: string }, email: string, current_password = person.password) {
  return call('POST', '/api/me/email', { email, current_password }, person);
}

/** Marks the person's e-mail address as proven. */
export async function proveEmail({ id }: { id: string }, origin = 'https://patikana.test'): Promise<void> {
  await env.DB.prepare('update users set email_proven_at = 1, email_origin = ? where id = ?').bind(origin, id).run();
}

type SentEmail = Parameters<SendEmail['send']>[0] & EmailMessageBuilder;

/** Makes bindings of a Worker whose e-mails go to a stand-in for Cloudflare. The stand-in records the e-mails. */
export function standInForEmail(vars: Record<string, unknown> = {}) {
  const sent: SentEmail[] = [];
  const deadLetters: EmailJob[] = [];
  const faults: (string | null)[] = [];
  const EMAIL = {
    async send(email: SentEmail) {
      const fault = faults.shift();
      // The message of Cloudflare's error also contains the recipient's e-mail address.
      if (fault !== undefined)
        throw Object.assign(new Error(`refused: ${email.to}`), fault !== null && { code: fault });
      sent.push(email);
      return { messageId: crypto.randomUUID() };
    },
  };
  const bindings = {
    ...env,
    WHATSAPP_TRANSPORT: 'cloud-api',
    WHATSAPP_PHONE_NUMBER_ID: '1',
    WHATSAPP_ACCESS_TOKEN: 'a-token',
    EMAIL_FROM: 'habari@patikana.test',
    EMAIL,
    EMAIL_DEAD_QUEUE: {
      async send(job: EmailJob) {
        deadLetters.push(job);
      },
    },
    ...vars,
  } as unknown as Env;
  /** The next e-mails are refused with these codes, one each; null is an error without a code. */
  const failNext = (...codes: (string | null)[]) => void faults.push(...codes);
  return { env: bindings, sent, deadLetters, failNext };
}

/** Delivers an e-mail job to its consumer (`deliverJob`). */
export function deliverEmail(bindings: Env, job: unknown, { attempts = 1, isDead = false } = {}) {
  const queue = isDead ? 'patikana-email-dead' : 'patikana-email';
  const consume = isDead ? consumeDeadEmails : consumeEmails;
  return deliverJob({ queue, job: job as EmailJob, attempts, consume: (batch) => consume(batch, bindings) });
}

const QUEUE = 'patikana-whatsapp';
export const DEAD_QUEUE = 'patikana-whatsapp-dead';
const API_BASE = 'https://graph.test/v25.0';

/** Replaces `fetch` by a stand-in for Meta. @returns the stand-in, the requested URLs, the dead letters, bindings. */
export function standInForMeta(vars: Record<string, string> = {}) {
  const api = new GraphApi({
    phoneNumberId: '106540352242922',
    accessToken: 'a-token-of-the-stand-in',
    templates: {
      verification_code: { languages: ['en', 'sw'], parameters: 1, hasButton: true },
      reset_in_english: { languages: ['en'], parameters: 1, hasButton: true },
      match_notice: { languages: ['en', 'sw'], parameters: 1, hasButton: false },
      match_in_english: { languages: ['en'], parameters: 1, hasButton: false },
      community_decision: { languages: ['en', 'sw'], parameters: 2, hasButton: false },
    },
  });
  const urls: string[] = [];
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    urls.push(url);
    return api.answer(new Request(url, init));
  });
  const deadLetters: WhatsappJob[] = [];
  const cloudEnv = {
    ...env,
    WHATSAPP_TRANSPORT: 'cloud-api',
    WHATSAPP_API_BASE: API_BASE,
    WHATSAPP_PHONE_NUMBER_ID: '106540352242922',
    WHATSAPP_ACCESS_TOKEN: 'a-token-of-the-stand-in',
    WHATSAPP_DEAD_QUEUE: collectInto(deadLetters),
    ...vars,
  };
  return { api, urls, deadLetters, env: cloudEnv };
}

/** A queue that only records its messages. */
export function collectInto(jobs: WhatsappJob[]): Queue<WhatsappJob> {
  const send = async (job: WhatsappJob) => {
    jobs.push(job);
  };
  return { send } as unknown as Queue<WhatsappJob>;
}

type QueueDelivery = { attempts?: number; queue?: string; timestamp?: Date };

/**
 * Delivers a WhatsApp job to the consumer of the queue, or of the dead-letter queue if the queue's name ends with
 * "-dead".
 */
export function deliver(
  bindings: Env,
  job: unknown,
  { attempts = 1, queue = QUEUE, timestamp = new Date() }: QueueDelivery = {},
) {
  const consume = queue.endsWith('-dead') ? consumeDeadMessages : consumeMessages;
  return deliverJob({
    queue,
    job: job as WhatsappJob,
    attempts,
    timestamp,
    consume: (batch) => consume(batch, bindings),
  });
}

/** Inserts a reset code into D1 as a request does, but sends no job to the queue. */
export async function issueCode(phone: string, { ageSeconds = 0, language = 'sw' as Language } = {}) {
  const { code: codeKey } = readConfig(env).keys;
  const requestId = crypto.randomUUID();
  const code = deriveCode(codeKey, requestId);
  const row = {
    number: phone,
    numberKey: numberKey(phone),
    requestId,
    codeDigest: digestResetCode(codeKey, phone, code),
  };
  const config = readConfig(env);
  const unlimited = allowanceOf(config, 'reset_request', crypto.randomUUID());
  const db = openDb(env);
  await insertCode(db, row, [unlimited], Date.now() - ageSeconds * 1000);
  await startCode(db.repeatable, requestId);
  return { code, job: { kind: 'reset_code', requestId, language } satisfies WhatsappJob };
}

/** Returns the reset code for a phone number, computed from the stored request id and the Worker's secret. */
export async function readCode(phone: string): Promise<string> {
  const row = await env.DB.prepare('select request_id from reset_codes where number_key = ?')
    .bind(numberKey(phone))
    .first<{ request_id: string }>();
  return deriveCode(readConfig(env).keys.code, row?.request_id ?? '');
}

/** Makes the reset code for a phone number older by `seconds`. */
export async function ageCode(phone: string, seconds: number): Promise<void> {
  await env.DB.prepare('update reset_codes set issued_at = issued_at - ? where number_key = ?')
    .bind(seconds * 1000, numberKey(phone))
    .run();
}

export function numberKey(phone: string): string {
  return fingerprint(readConfig(env).keys.code, 'reset-number', phone);
}

export function readMessage(id: string) {
  return env.DB.prepare('select status, attempts, error_code, language, wamid from whatsapp_messages where id = ?')
    .bind(id)
    .first();
}
