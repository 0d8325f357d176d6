import { QUEUE_DELAY_MAX_SECONDS } from '#contract/notice-jobs.ts';
import type { Config } from '#worker/env.ts';

const POINT_BYTES = 65;
const UNCOMPRESSED = 4;
const AUTH_BYTES = 16;
const BASE64URL = /^[\w-]+={0,2}$/;

/** Allowed hosts of a stand-in push service on a developer's machine, at any port. */
const OWN_HOSTS = ['127.0.0.1', 'localhost'];

/**
 * Whether the endpoint is a known push service. Anybody can store an endpoint, and the Worker calls it, so any other URL
 * would allow server-side request forgery.
 */
export function isPushService(endpoint: string, { services, isStandInAllowed }: Config['push']): boolean {
  if (/[\s\\]/.test(endpoint) || !URL.canParse(endpoint)) return false;
  const { protocol, hostname, port, username, password } = new URL(endpoint);
  if (username !== '' || password !== '') return false;
  if (isStandInAllowed && protocol === 'http:' && OWN_HOSTS.includes(hostname)) return true;
  return protocol === 'https:' && port === '' && services.some((service) => isHostOf(hostname, service));
}

/** `*.notify.windows.com` matches every host below it, by whole labels. */
function isHostOf(hostname: string, service: string): boolean {
  if (!service.startsWith('*.')) return hostname === service;
  const parent = service.slice(1);
  return hostname.endsWith(parent) && !hostname.startsWith('.');
}

/** Whether the key is a point on P-256, as encryption needs (RFC 8291 §3.1). */
export async function isPoint(p256dh: string): Promise<boolean> {
  const bytes = decode(p256dh);
  if (bytes?.length !== POINT_BYTES || bytes[0] !== UNCOMPRESSED) return false;
  try {
    await crypto.subtle.importKey('raw', bytes, { name: 'ECDH', namedCurve: 'P-256' }, false, []);
    return true;
  } catch {
    return false;
  }
}

/** Whether it has the form of an authentication secret (RFC 8291 §3.2). */
export function isAuthSecret(auth: string): boolean {
  return decode(auth)?.length === AUTH_BYTES;
}

function decode(text: string): Uint8Array<ArrayBuffer> | null {
  return BASE64URL.test(text) ? Uint8Array.from(Buffer.from(text, 'base64url')) : null;
}

/** The outcome of a push, depending on the service's answer. */
export type PushOutcome =
  | { kind: 'sent' }
  /** The subscription no longer exists. */
  | { kind: 'gone' }
  /** A retry would not help. */
  | { kind: 'refused' }
  | { kind: 'again'; afterSeconds: number }
  | { kind: 'given_up' };

const FIRST_DELAY_SECONDS = 30;
const TRIED_SECONDS = 24 * 60 * 60;

/** @param answer null on a timeout or a failed connection. @param queuedAt in milliseconds, as `now`. */
export function judgeAnswer(
  answer: { status: number; retryAfter: string | null } | null,
  { attempt, queuedAt }: { attempt: number; queuedAt: number },
  now: number,
): PushOutcome {
  const status = answer?.status ?? null;
  if (status !== null && status >= 200 && status < 300) return { kind: 'sent' };
  if (status === 404 || status === 410) return { kind: 'gone' };
  if (status !== null && status !== 429 && status < 500) return { kind: 'refused' };
  const asked = readRetryAfter(answer?.retryAfter ?? null, now) ?? FIRST_DELAY_SECONDS * 2 ** (attempt - 1);
  const afterSeconds = Math.min(Math.max(asked, 1), QUEUE_DELAY_MAX_SECONDS);
  const isTooLate = now + afterSeconds * 1000 > queuedAt + TRIED_SECONDS * 1000;
  return isTooLate ? { kind: 'given_up' } : { kind: 'again', afterSeconds };
}

/** Seconds, or a date (RFC 9110 §10.2.3). */
function readRetryAfter(text: string | null, now: number): number | null {
  if (text === null) return null;
  if (/^\d+$/.test(text.trim())) return Number(text);
  const time = Date.parse(text);
  return Number.isNaN(time) ? null : Math.ceil((time - now) / 1000);
}
