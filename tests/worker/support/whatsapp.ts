import { env } from 'cloudflare:workers';
import { vi } from 'vitest';
import type { WhatsappJob } from '#contract/jobs.ts';
import type { Language } from '#contract/language.ts';
import { GraphApi } from '#tests/support/graph-api.ts';
import { openDb } from '#worker/db/client.ts';
import { type Env, readConfig } from '#worker/env.ts';
import { deriveCode, digestResetCode } from '#worker/identity/codes.ts';
import { fingerprint } from '#worker/identity/digests.ts';
import { allowanceOf } from '#worker/limits/allowance.ts';
import { insertCode, startCode } from '#worker/recovery/reset-code.ts';
import { consumeDeadMessages, consumeMessages } from '#worker/whatsapp/send-message.ts';
import { deliverJob } from './mortal-env.ts';

export const QUEUE = 'patikana-whatsapp';
export const DEAD_QUEUE = 'patikana-whatsapp-dead';
const API_BASE = 'https://graph.test/v25.0';

/** Bindings of a Worker with the cloud-api transport, with Meta's stand-in behind `fetch` and recorded dead letters. */
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

/** @see deliverJob */
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

/** A code as a request leaves it in D1 after queueing it, without the queue. */
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

/** The code of a number, computed with the secret. */
export async function readCode(phone: string): Promise<string> {
  const row = await env.DB.prepare('select request_id from reset_codes where number_key = ?')
    .bind(numberKey(phone))
    .first<{ request_id: string }>();
  return deriveCode(readConfig(env).keys.code, row?.request_id ?? '');
}

/** Makes a number's code older. */
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
