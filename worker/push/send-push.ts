import { encryptNotification } from '@block65/webcrypto-web-push';
import { SignJWT } from 'jose';
import type { PushJob } from '#contract/notice-jobs.ts';
import type { PushMessage } from '#contract/push.ts';
import { getUserChannel } from '#durable/get-user-channel.ts';
import type { Db } from '#worker/db/client.ts';
import { type Env, readConfig } from '#worker/env.ts';
import { errorName } from '#worker/errors/error-name.ts';
import { log } from '#worker/errors/log.ts';
import type { VapidKey } from '#worker/identity/vapid-key.ts';
import { recordTold } from '#worker/notices/index.ts';
import { composePush } from './compose-push.ts';
import { isPushService, judgeAnswer, type PushOutcome } from './push-rules.ts';
import { forgetSubscription, type PushRow, readPush } from './subscription-store.ts';

const REQUEST_TIMEOUT_MS = 10_000;
/** Longer than a phone is usually without power or network. */
const TTL_SECONDS = 3 * 24 * 60 * 60;
/** Push services accept a token for a day at most (RFC 8292 §2). */
const TOKEN_LIFETIME = '12h';
/** Messages are padded to a multiple of this, so that their length reveals nothing. */
const PADDED_BYTES = 512;

/** One delivery by the queue. */
type PushDelivery = { job: PushJob; attempt: number; queuedAt: number };

/** Sends the notice, unless it is no longer waiting, and acts on the push service's answer. */
export async function sendPush(env: Env, db: Db, delivery: PushDelivery): Promise<PushOutcome> {
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

/** A failure to record is only logged, as retrying would send the push again. */
async function keepPushed(db: Db, { noticeId }: PushJob): Promise<void> {
  try {
    await recordTold(db.repeatable, 'push', [noticeId], Date.now());
  } catch (error) {
    log.warn('push_not_recorded', { name: errorName(error) });
  }
}

/** The mailbox knows of acknowledgements before the database does. */
async function isWaiting(env: Env, { userId, noticeId }: PushJob): Promise<boolean> {
  return (await getUserChannel(env, userId).listWaiting([noticeId])).length > 0;
}

/** @returns the service's status and `Retry-After`; null on a timeout or a failed connection. */
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
      // A redirect could lead to a host that is not a push service.
      redirect: 'manual',
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
      headers: {
        Authorization: `vapid t=${token}, k=${vapid.publicKey}`,
        'Content-Encoding': 'aes128gcm',
        'Content-Type': 'application/octet-stream',
        TTL: `${TTL_SECONDS}`,
        Urgency: job.isSilent ? 'low' : 'high',
        // At most 32 characters (RFC 8030 §5.4). A second push with the same topic replaces the first.
        Topic: job.noticeId.replaceAll('-', ''),
      },
    });
    await answer.body?.cancel();
    return { status: answer.status, retryAfter: answer.headers.get('Retry-After') };
  } catch {
    return null;
  }
}

function encrypt(message: PushMessage, { endpoint, p256dh, auth }: PushRow): Promise<Uint8Array<ArrayBuffer>> {
  const text = new TextEncoder().encode(JSON.stringify(message));
  const padded = new Uint8Array(Math.ceil(text.length / PADDED_BYTES) * PADDED_BYTES).fill(' '.charCodeAt(0));
  padded.set(text);
  const subscription = { endpoint, expirationTime: null, keys: { p256dh, auth } };
  return encryptNotification(subscription, padded, { pad: false });
}

/** The VAPID token (RFC 8292) for this service. */
function signToken(endpoint: string, { jwk, subject }: VapidKey): Promise<string> {
  return new SignJWT()
    .setProtectedHeader({ alg: 'ES256', typ: 'JWT' })
    .setAudience(new URL(endpoint).origin)
    .setSubject(subject)
    .setIssuedAt()
    .setExpirationTime(TOKEN_LIFETIME)
    .sign(jwk);
}
