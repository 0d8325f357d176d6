import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { LANGUAGES } from '#contract/language.ts';
import { PUSH_SUBSCRIPTIONS_MAX } from '#contract/limits.ts';
import { LIVE_MESSAGE_TYPES } from '#contract/live-messages.ts';
import type { PushJob } from '#contract/notice-jobs.ts';
import { POST_KINDS } from '#contract/posts.ts';
import type { PushSubscriptionInput } from '#contract/push.ts';
import { type Db, writeAs } from '#worker/db/client.ts';
import { queryRows } from '#worker/db/rows.ts';
import { newId } from '#worker/identity/ids.ts';
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

/** Stores the browser's subscription for the viewer, whoever had it before. Beyond the maximum the oldest is deleted. */
export async function putSubscription(
  db: Db,
  viewer: SessionViewer,
  { endpoint, keys }: PushSubscriptionInput,
  now: number,
): Promise<void> {
  // A new owner gets a new id, so that queued jobs for the previous owner no longer find the subscription.
  await writeAs(db.repeatable, viewer, [
    db.run(sql`
      insert into push_subscriptions (endpoint, id, user_id, session_id, p256dh, auth, put_at)
      values (${endpoint}, ${newId()}, ${viewer.userId}, ${viewer.sessionId}, ${keys.p256dh}, ${keys.auth}, ${now})
      on conflict (endpoint) do update set
        id = iif(user_id = excluded.user_id, id, excluded.id), user_id = excluded.user_id,
        session_id = excluded.session_id, p256dh = excluded.p256dh, auth = excluded.auth, put_at = excluded.put_at`),
    db.run(sql`
      delete from push_subscriptions where user_id = ${viewer.userId} and id not in (
        select id from push_subscriptions where user_id = ${viewer.userId}
        order by put_at desc, rowid desc limit ${PUSH_SUBSCRIPTIONS_MAX})`),
  ]);
}

export async function deleteSubscription(db: Db, viewer: Viewer, endpoint: string): Promise<void> {
  await writeAs(db.repeatable, viewer, [
    db.run(sql`delete from push_subscriptions where endpoint = ${endpoint} and user_id = ${viewer.userId}`),
  ]);
}

/** Statement: deletes the subscriptions of these sessions. @param sessionIds selects them. */
export function endSubscriptionsOfSessions(db: Db, sessionIds: SQL) {
  return db.run(sql`delete from push_subscriptions where session_id in (${sessionIds})`);
}

/**
 * Statement: deletes the person's subscriptions.
 * @param userId a value, or a select that may find nobody.
 * @param but the session whose subscription stays, if any.
 */
export function endSubscriptionsOfUser(db: Db, userId: SQL, but: string | null = null) {
  return db.run(sql`delete from push_subscriptions where user_id = ${userId} and session_id is not ${but}`);
}

/** Expression: the ids of the person's subscriptions, as JSON. */
export function subscriptionIdsOf(userId: SQL): SQL {
  return sql`(select json_group_array(b.id) from push_subscriptions b where b.user_id = ${userId})`;
}

/** The subscription and the notice; undefined if the subscription is no longer the person's, or the notice is not unread. */
export async function readPush(db: Db, { subscriptionId, userId, noticeId }: PushJob) {
  const [row] = await queryRows(db, pushRow)`
    select b.endpoint, b.p256dh, b.auth, u.language, n.type, coalesce(o.kind, k.post_kind) as kind,
      coalesce(n.post_id, n.body ->> 'post_id') as post_id, n.claim_id,
      n.body ->> 'community_id' as community_id
    from push_subscriptions b
    join users u on u.id = b.user_id
    join notices n on n.id = ${noticeId} and n.recipient_id = b.user_id and n.read_at is null
    left join claims k on k.id = n.claim_id
    left join posts o on o.id = coalesce(n.your_post_id, n.body ->> 'post_id')
    where b.id = ${subscriptionId} and b.user_id = ${userId}`;
  return row;
}
export type PushRow = NonNullable<Awaited<ReturnType<typeof readPush>>>;

/** Deletes a subscription that no longer exists, unless it has been renewed since. */
export async function forgetSubscription(db: Db, { subscriptionId }: PushJob, { p256dh }: PushRow): Promise<void> {
  await db.repeatable.run(sql`delete from push_subscriptions where id = ${subscriptionId} and p256dh = ${p256dh}`);
}

/** Records which notice did not reach a browser, for investigation. */
export async function recordDeadLetter(db: Db, id: string, noticeId: string, now: number): Promise<void> {
  await db.repeatable.run(sql`
    insert into push_dead_letters (id, notice_id, recorded_at) values (${id}, ${noticeId}, ${now})
    on conflict (id) do nothing`);
}
