import { encryptNotification } from '@block65/webcrypto-web-push';
import { SignJWT } from 'jose';
import type { PushMessage } from '#contract/channels.ts';
import { type PushJob, QUEUE_DELAY_MAX_SECONDS } from '#contract/jobs.ts';
import type { PostKind } from '#contract/kinds.ts';
import type { Language } from '#contract/language.ts';
import type { LiveMessage } from '#contract/live-messages.ts';
import { getUserChannel } from '#durable/get-user-channel.ts';
import en from '#locales/en/outside/push.json' with { type: 'json' };
import sw from '#locales/sw/outside/push.json' with { type: 'json' };
import { type Db, openDb } from '#worker/db/client.ts';
import { type Env, readConfig } from '#worker/env.ts';
import { type Consume, consumeEach } from '#worker/errors/consume-messages.ts';
import { errorName, log } from '#worker/errors/log.ts';
import type { VapidKey } from '#worker/identity/vapid-key.ts';
import { recordSent } from '#worker/notices/deliver-notices.ts';
import { forgetSubscription, isPushService, type PushRow, readPush, recordDeadLetter } from './subscriptions.ts';

export function consumePushes(batch: MessageBatch<PushJob>, env: Env): Promise<void> {
  return consumeEachPush(batch, async ({ body: job, attempts: attempt, timestamp }) => {
    const outcome = await sendPush(env, openDb(env), { job, attempt, queuedAt: timestamp.getTime() });
    if (outcome.kind === 'given_up') await env.PUSH_DEAD_QUEUE.send(job, { contentType: 'json' });
    return outcome.kind === 'again' ? outcome.afterSeconds : null;
  });
}

/** Records which pushes were given up. Does not store their content. */
export function consumeDeadPushes(batch: MessageBatch<PushJob>, env: Env): Promise<void> {
  return consumeEachPush(batch, async ({ id, body }) => {
    await recordDeadLetter(openDb(env), id, body.noticeId, Date.now());
    log.error('push_dead_letter', { notice_id: body.noticeId });
    return null;
  });
}

function consumeEachPush(batch: MessageBatch<PushJob>, consume: Consume<PushJob>): Promise<void> {
  return consumeEach(batch, consume, {
    failedEvent: 'push_consumer_failed',
    retrySeconds: { first: 2, most: 60 },
    isParallel: true,
  });
}

const REQUEST_TIMEOUT_MS = 10_000;
/** How long the push service tries to deliver a push. Phones are rarely without power or network for longer. */
const TTL_SECONDS = 3 * 24 * 60 * 60;
/** How long a VAPID token is valid. Push services accept a lifetime of at most a day (RFC 8292 §2). */
const TOKEN_LIFETIME = '12h';
/** Every message is padded to a multiple of this length, so that its length reveals nothing about its content. */
const PADDED_BYTES = 512;

/** One delivery of a job by its queue. The queue may deliver a job several times. */
type PushDelivery = { job: PushJob; attempt: number; queuedAt: number };

/** Sends the notice if it still waits to be read, and acts on the push service's response. */
async function sendPush(env: Env, db: Db, delivery: PushDelivery): Promise<PushOutcome> {
  const { push } = readConfig(env);
  const { job } = delivery;
  const row = await readPush(db, job);
  if (!row || !(await isWaiting(env, job))) return { kind: 'sent' };
  if (push.vapid === null || !isPushService(row.endpoint, push)) {
    log.error('push_service_unknown', { host: new URL(row.endpoint).hostname, has_key: push.vapid !== null });
    return { kind: 'refused' };
  }
  const answer = await post(row, job, push.vapid);
  const outcome = judgeAnswer(answer, delivery, Date.now());
  if (outcome.kind === 'sent') await keepPushed(db, job);
  if (outcome.kind === 'gone') await forgetSubscription(db, job, row);
  if (outcome.kind === 'refused') {
    log.error('push_refused', { host: new URL(row.endpoint).hostname, status: answer?.status ?? null });
  }
  return outcome;
}

/** Records that the push was sent. A failure is only logged, as a retry would send the push again. */
async function keepPushed(db: Db, { noticeId }: PushJob): Promise<void> {
  try {
    await recordSent(db.repeatable, 'push', [noticeId], Date.now());
  } catch (error) {
    log.warn('push_not_recorded', { name: errorName(error) });
  }
}

/**
 * Whether the notice still waits to be read. Asks the mailbox, which learns earlier than the database that a client has
 * shown the notice.
 */
async function isWaiting(env: Env, { userId, noticeId }: PushJob): Promise<boolean> {
  return (await getUserChannel(env, userId).listWaiting([noticeId])).length > 0;
}

/** Sends the push. @returns the service's status and `Retry-After`; null on a timeout or a failed connection. */
async function post(row: PushRow, job: PushJob, vapid: VapidKey) {
  const subject = {
    ...row,
    id: job.noticeId,
    postId: row.post_id,
    claimId: row.claim_id,
    communityId: row.community_id,
  };
  const message = composePush(subject, row.language, job.isSilent);
  const [body, token] = await Promise.all([encrypt(message, row), signToken(row.endpoint, vapid)]);
  try {
    const answer = await fetch(row.endpoint, {
      method: 'POST',
      body,
      // Refuses redirects, because they could lead to a host that is not a push service.
      redirect: 'manual',
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
      headers: {
        Authorization: `vapid t=${token}, k=${vapid.publicKey}`,
        'Content-Encoding': 'aes128gcm',
        'Content-Type': 'application/octet-stream',
        TTL: `${TTL_SECONDS}`,
        Urgency: job.isSilent ? 'low' : 'high',
        // The topic has at most 32 characters (RFC 8030 §5.4). A second push with the same topic replaces the first.
        Topic: job.noticeId.replaceAll('-', ''),
      },
    });
    await answer.body?.cancel();
    return { status: answer.status, retryAfter: answer.headers.get('Retry-After') };
  } catch {
    return null;
  }
}

type Text = { title: string; body: string | Record<PostKind, string> };

/**
 * The texts of pushes. They name no post, person or phone number, because bystanders can read them. `fallback` is for
 * types of notices without a text of their own.
 */
const TEXTS: Record<Language, { fallback: Text } & Partial<Record<string, Text>>> = { en, sw };

/** What a notice is about. Contains ids and no texts. */
type PushSubject = {
  id: string;
  type: LiveMessage['type'];
  kind: PostKind | null;
  postId: string | null;
  claimId: string | null;
  communityId: string | null;
};

/**
 * The recipients of these notices are not always admins, so these notices lead to `/communities/{id}`. Only the
 * community's admins can open `/community-details` (docs/product.md V28).
 */
const FOR_MEMBERS = new Set<LiveMessage['type']>(['join_accepted', 'community_closing', 'community_reopened']);

/**
 * Composes a push from a fixed sentence. The sentence depends on the notice's type, and for some types on the post's
 * kind.
 */
export function composePush(subject: PushSubject, language: Language, isSilent: boolean): PushMessage {
  const { type, id, kind } = subject;
  const { title, body } = TEXTS[language][type] ?? TEXTS[language].fallback;
  return {
    type,
    id,
    title,
    body: typeof body === 'string' ? body : body[kind ?? 'other'],
    url: addressOf(subject),
    language,
    silent: isSilent,
  };
}

/** Returns the path in the web app where the person can act on the notice. */
function addressOf({ type, postId, claimId, communityId }: PushSubject): string {
  if (type === 'reports_waiting' || type === 'community_without_admin') return '/admin';
  if (type === 'community_rejected') return '/notices';
  if (claimId !== null) return `/claims/${encodeURIComponent(claimId)}`;
  if (postId !== null) return `/posts/${encodeURIComponent(postId)}`;
  if (communityId === null) return '/notices';
  return `/${FOR_MEMBERS.has(type) ? 'communities' : 'community-details'}/${encodeURIComponent(communityId)}`;
}

function encrypt(message: PushMessage, { endpoint, p256dh, auth }: PushRow): Promise<Uint8Array<ArrayBuffer>> {
  const text = new TextEncoder().encode(JSON.stringify(message));
  const padded = new Uint8Array(Math.ceil(text.length / PADDED_BYTES) * PADDED_BYTES).fill(' '.charCodeAt(0));
  padded.set(text);
  const subscription = { endpoint, expirationTime: null, keys: { p256dh, auth } };
  return encryptNotification(subscription, padded, { pad: false });
}

/** Signs the VAPID token (RFC 8292) for this push service. */
function signToken(endpoint: string, { jwk, subject }: VapidKey): Promise<string> {
  return new SignJWT()
    .setProtectedHeader({ alg: 'ES256', typ: 'JWT' })
    .setAudience(new URL(endpoint).origin)
    .setSubject(subject)
    .setIssuedAt()
    .setExpirationTime(TOKEN_LIFETIME)
    .sign(jwk);
}

/** The outcome of a push, as the push service's response shows it. */
type PushOutcome =
  | { kind: 'sent' }
  /** The browser's subscription no longer exists. */
  | { kind: 'gone' }
  /** The push service has refused the push, and would refuse it again. */
  | { kind: 'refused' }
  | { kind: 'again'; afterSeconds: number }
  | { kind: 'given_up' };

const FIRST_DELAY_SECONDS = 30;
const TRIED_SECONDS = 24 * 60 * 60;

/**
 * Decides what happens to a push after the push service's response.
 * @param answer null on a timeout or a failed connection.
 * @param queuedAt in milliseconds, as `now`.
 */
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

/** Parses a `Retry-After` header: seconds, or a date (RFC 9110 §10.2.3). */
function readRetryAfter(text: string | null, now: number): number | null {
  if (text === null) return null;
  if (/^\d+$/.test(text.trim())) return Number(text);
  const time = Date.parse(text);
  return Number.isNaN(time) ? null : Math.ceil((time - now) / 1000);
}
