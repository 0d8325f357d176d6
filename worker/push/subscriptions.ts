import { and, eq, type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { PushSubscriptionInput } from '#contract/channels.ts';
import type { PushJob } from '#contract/jobs.ts';
import { POST_KINDS } from '#contract/kinds.ts';
import { LANGUAGES } from '#contract/language.ts';
import { PUSH_SUBSCRIPTIONS_MAX } from '#contract/limits.ts';
import { LIVE_MESSAGE_TYPES } from '#contract/live-messages.ts';
import { type Db, writeAs } from '#worker/db/client.ts';
import { queryFirst } from '#worker/db/statements.ts';
import { pushDeadLetters, pushSubscriptions } from '#worker/db/tables/notices.ts';
import type { Config } from '#worker/env.ts';
import { newId } from '#worker/identity/digests.ts';
import type { SessionViewer, Viewer } from '#worker/identity/viewer.ts';

const pushRow = () =>
  z.object({
    endpoint: z.string(),
    p256dh: z.string(),
    auth: z.string(),
    language: z.enum(LANGUAGES),
    type: z.enum(LIVE_MESSAGE_TYPES),
    kind: z.nullable(z.enum(POST_KINDS)),
    post_id: z.nullable(z.string()),
    claim_id: z.nullable(z.string()),
    community_id: z.nullable(z.string()),
  });

/**
 * Stores the browser's subscription for the viewer. If the subscription belonged to another person, who used the
 * browser before, it now belongs to the viewer. If the viewer has too many subscriptions, deletes the oldest one.
 */
export async function putSubscription(
  db: Db,
  viewer: SessionViewer,
  { endpoint, keys }: PushSubscriptionInput,
  now: number,
): Promise<void> {
  const renewed = { ...keys, userId: viewer.userId, sessionId: viewer.sessionId, putAt: now };
  await writeAs(db.repeatable, viewer, {
    insertPushSubscriptions: db
      .insert(pushSubscriptions)
      .values({ endpoint, id: newId(), ...renewed })
      .onConflictDoUpdate({ target: pushSubscriptions.endpoint, set: renewed }),
    deletePushSubscriptions: db.run(sql`
      delete from push_subscriptions where user_id = ${viewer.userId} and id not in (
        select id from push_subscriptions where user_id = ${viewer.userId}
        order by put_at desc, rowid desc limit ${PUSH_SUBSCRIPTIONS_MAX})`),
  });
}

export async function deleteSubscription(db: Db, viewer: Viewer, endpoint: string): Promise<void> {
  await writeAs(db.repeatable, viewer, {
    deletePushSubscriptions: db
      .delete(pushSubscriptions)
      .where(and(eq(pushSubscriptions.endpoint, endpoint), eq(pushSubscriptions.userId, viewer.userId))),
  });
}

/** Statement: deletes the subscriptions of these sessions. @param sessionIds selects the sessions. */
export function endSubscriptionsOfSessions(db: Db, sessionIds: SQL) {
  return db.run(sql`delete from push_subscriptions where session_id in (${sessionIds})`);
}

/**
 * Statement: deletes the person's subscriptions.
 * @param userId a value, or a select that may return no row.
 * @param but the id of a session whose subscription is not deleted, or null.
 */
export function endSubscriptionsOfUser(db: Db, userId: SQL, but: string | null = null) {
  return db.run(sql`delete from push_subscriptions where user_id = ${userId} and session_id is not ${but}`);
}

/** Expression: the ids of the person's subscriptions, as JSON. */
export function subscriptionIdsOf(userId: SQL): SQL {
  return sql`(select json_group_array(b.id) from push_subscriptions b where b.user_id = ${userId})`;
}

/**
 * Reads the subscription and the notice. Returns undefined if the subscription now belongs to another person, or if the
 * notice was read.
 */
export async function readPush(db: Db, { subscriptionId, noticeId }: PushJob) {
  const row = await queryFirst(db, pushRow)`
    select b.endpoint, b.p256dh, b.auth, u.language, n.type, coalesce(o.kind, k.post_kind) as kind,
      coalesce(n.post_id, n.body ->> 'post_id') as post_id, n.claim_id,
      n.body ->> 'community_id' as community_id
    from push_subscriptions b
    join users u on u.id = b.user_id
    join notices n on n.id = ${noticeId} and n.recipient_id = b.user_id and n.read_at is null
    left join claims k on k.id = n.claim_id
    left join posts o on o.id = coalesce(n.your_post_id, n.body ->> 'post_id')
    where b.id = ${subscriptionId}`;
  return row;
}
export type PushRow = NonNullable<Awaited<ReturnType<typeof readPush>>>;

/** Deletes the row of a subscription that has ended, unless the browser has renewed the subscription meanwhile. */
export async function forgetSubscription(db: Db, { subscriptionId }: PushJob, { p256dh }: PushRow): Promise<void> {
  await db.repeatable.run(sql`delete from push_subscriptions where id = ${subscriptionId} and p256dh = ${p256dh}`);
}

/** Records for operators which notice could not be sent to a browser. */
export async function recordDeadLetter(db: Db, id: string, noticeId: string, now: number): Promise<void> {
  await db.repeatable.insert(pushDeadLetters).values({ id, noticeId, recordedAt: now }).onConflictDoNothing();
}

const POINT_BYTES = 65;
const UNCOMPRESSED = 4;
const AUTH_BYTES = 16;
const BASE64URL = /^[\w-]+={0,2}$/;

/** Hosts of a fake push service on a developer's machine, at any port. */
const OWN_HOSTS = ['127.0.0.1', 'localhost'];

/**
 * Whether the endpoint belongs to a known push service. Anybody can store an endpoint, and the Worker sends requests to
 * it. Any other URL would therefore allow server-side request forgery.
 */
export function isPushService(endpoint: string, { services, isStandInAllowed }: Config['push']): boolean {
  if (/[\s\\]/.test(endpoint) || !URL.canParse(endpoint)) return false;
  const { protocol, hostname, port, username, password } = new URL(endpoint);
  if (username !== '' || password !== '') return false;
  if (isStandInAllowed && protocol === 'http:' && OWN_HOSTS.includes(hostname)) return true;
  return protocol === 'https:' && port === '' && services.some((service) => isHostOf(hostname, service));
}

/** Whether the host belongs to the service. `*.notify.windows.com` matches every subdomain of notify.windows.com. */
function isHostOf(hostname: string, service: string): boolean {
  if (!service.startsWith('*.')) return hostname === service;
  const parent = service.slice(1);
  return hostname.endsWith(parent) && !hostname.startsWith('.');
}

/** Whether the key is a point on the curve P-256, which encryption requires (RFC 8291 §3.1). */
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

/** Whether the text has the form of an authentication secret (RFC 8291 §3.2). */
export function isAuthSecret(auth: string): boolean {
  return decode(auth)?.length === AUTH_BYTES;
}

function decode(text: string): Uint8Array<ArrayBuffer> | null {
  return BASE64URL.test(text) ? Uint8Array.from(Buffer.from(text, 'base64url')) : null;
}
