import { type SQL, sql } from 'drizzle-orm';
import type { Channel } from '#contract/jobs.ts';
import { getUserChannel, type UserChannelCalls } from '#durable/get-user-channel.ts';
import type { Acknowledged } from '#durable/mailbox.ts';
import { isOpen, isShownTo } from '#worker/conditions/posts.ts';
import { batch, type Db, type Handle } from '#worker/db/client.ts';
import { idRow, idsOf, nextTry, queryRows } from '#worker/db/statements.ts';
import { type Env, readConfig } from '#worker/env.ts';
import { errorName, log } from '#worker/errors/log.ts';
import { inForce, NUMBERS_A_DAY } from '#worker/limits/limits.ts';
import { IS_DISMISSED, IS_ITS_PAIR, readUndelivered, toLiveMessage, type UndeliveredNotice } from './read-notices.ts';

/** How many mailboxes are called in parallel. With more calls, the platform might throttle them. */
const MAILBOXES_AT_ONCE = 25;

/**
 * Delivers the notices that are still true, each to its recipient's mailbox, and retracts all others. Records what each
 * mailbox has accepted; the clean-up job (sweep) retries unreachable mailboxes. Every step may be repeated: a mailbox
 * ignores known notices, and a notice recorded as delivered is not delivered again.
 */
export async function deliverNotices(env: Env, db: Db, noticeIds: string[]): Promise<void> {
  if (noticeIds.length === 0) return;
  const some = sql`select value as id from json_each(${JSON.stringify(noticeIds)})`;
  await deliverToMailboxes(env, db, await readUndelivered(db, some));
}

/** Does the same as `deliverNotices`, for notices that the caller has just read with `reviseAndRead`. */
export async function deliverToMailboxes(env: Env, db: Db, notices: UndeliveredNotice[]): Promise<void> {
  // All parallel loops take the next mailbox from one iterator, so that a slow mailbox delays only one loop.
  const mailboxes = Map.groupBy(notices, (notice) => notice.recipient_id).entries();
  const agreed: UndeliveredNotice[] = [];
  const work = async () => {
    for (const [userId, own] of mailboxes) agreed.push(...(await deliverTo(env, userId, own)));
  };
  await Promise.all(Array.from({ length: MAILBOXES_AT_ONCE }, work));
  if (agreed.length === 0) return;
  const [delivered, withdrawn] = split(agreed);
  await recordDelivery(db, { delivered: idsOf(delivered), withdrawn: idsOf(withdrawn), now: Date.now() });
}

/** @returns the notices that the mailbox has accepted: all, or none if it cannot be reached. */
async function deliverTo(env: Env, userId: string, notices: UndeliveredNotice[]): Promise<UndeliveredNotice[]> {
  const [news, gone] = split(notices);
  try {
    const maxNumbers = inForce(readConfig(env), NUMBERS_A_DAY.notices);
    const messages = news.map((notice) => toLiveMessage(notice, maxNumbers));
    await retryOnce(async () => {
      const channel = getUserChannel(env, userId);
      if (messages.length > 0) await channel.deliver(messages);
      if (gone.length > 0) await channel.retract(idsOf(gone));
    });
    return notices;
  } catch (error) {
    log.warn('mailbox_unreachable', { notices: notices.length, name: errorName(error) });
    return [];
  }
}

/**
 * Retries a failed call once, if the platform marks the error as retryable, as it does after a deploy. Never retries if
 * the Durable Object is overloaded.
 */
async function retryOnce(act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    const { retryable, overloaded } = error as { retryable?: boolean; overloaded?: boolean };
    if (!retryable || overloaded) throw error;
    await act();
  }
}

function split(notices: UndeliveredNotice[]): [news: UndeliveredNotice[], gone: UndeliveredNotice[]] {
  return [notices.filter((notice) => notice.is_true === 1), notices.filter((notice) => notice.is_true !== 1)];
}

/** A notice younger than this is probably still being delivered by the request that created it. */
const GRACE_MS = 10_000;
const NOTICES_AT_ONCE = 100;
const ROUNDS_MAX = 10;

/**
 * Delivers or retracts stored notices that have not reached their mailbox. The clean-up job (sweep) calls this
 * function.
 */
export async function finishDelivering(env: Env, db: Db, now: number): Promise<void> {
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const ids = await claimOverdueNotices(db, { before: now - GRACE_MS, now, limit: NOTICES_AT_ONCE });
    await deliverNotices(env, db, ids);
    if (ids.length < NOTICES_AT_ONCE) return;
  }
}

/** Calls a mailbox. If the mailbox cannot be reached, only logs the failure. */
export async function tryMailbox(
  env: Env,
  userId: string,
  act: (mailbox: UserChannelCalls) => Promise<void>,
): Promise<void> {
  try {
    await act(getUserChannel(env, userId));
  } catch (error) {
    log.warn('mailbox_unreachable', { name: errorName(error) });
  }
}

const SENT_AT = {
  push: sql.raw('pushed_at'),
  whatsapp: sql.raw('whatsapp_at'),
  email: sql.raw('emailed_at'),
} satisfies Record<Channel, unknown>;

/** Statement: records when the channel sent these notices. A repeated call does not change the recorded time. */
export function recordSent(db: Handle, channel: Channel, noticeIds: string[], now: number) {
  return db.run(sql`
    update notices set ${SENT_AT[channel]} = ${now}
    where id in (select value from json_each(${JSON.stringify(noticeIds)})) and ${SENT_AT[channel]} is null`);
}

/** Records that clients have shown these notices. A repeated call changes nothing. */
export async function recordAcknowledged(db: Db, acknowledged: Acknowledged): Promise<void> {
  await db.repeatable.run(sql`
    update notices set acknowledged_at = j.value from json_each(${JSON.stringify(acknowledged)}) j
    where notices.id = j.key and acknowledged_at is null`);
}

/**
 * Reserves the notices that have waited longest. Schedules their next try before this try begins, so that an
 * undeliverable notice does not block other notices.
 */
async function claimOverdueNotices(db: Db, { before, now, limit }: { before: number; now: number; limit: number }) {
  const rows = await queryRows(db, idRow)`
    update notices set delivery_failures = delivery_failures + 1,
      delivery_due_at = ${nextTry(now, 'delivery_failures')}
    where id in (
      select id from notices where delivered_at is null and delivery_due_at <= ${now} and created_at < ${before}
      order by delivery_due_at, created_at limit ${limit})
    returning id`;
  return idsOf(rows);
}

/**
 * Records what the mailboxes have accepted. A notice that became untrue during its delivery stays recorded as
 * undelivered, so that the clean-up job (sweep) retracts it. Deletes retracted notices, except those of a dismissed
 * match: a repeated request to dismiss the match refers to the match by the notice's id.
 */
async function recordDelivery(
  db: Db,
  { delivered, withdrawn, now }: { delivered: string[]; withdrawn: string[]; now: number },
): Promise<void> {
  const among = (ids: string[]) => sql`id in (select value from json_each(${JSON.stringify(ids)}))`;
  const hasPair = sql`exists (select 1 from match_pairs m where ${IS_ITS_PAIR} and not ${IS_DISMISSED})`;
  const isDismissed = sql`exists (select 1 from match_pairs m where ${IS_ITS_PAIR} and ${IS_DISMISSED})`;
  await batch(db.repeatable, {
    updateDelivered: db.run(sql`
      update notices as n set delivered_at = ${now}, delivery_failures = 0
      where ${among(delivered)} and delivered_at is null and (type <> 'matching_post' or (${hasPair}
        and exists (select 1 from posts p where p.id = n.post_id and ${isOpen('p')} and ${isShownTo('p', sql.raw('n.recipient_id'))})
        and exists (select 1 from posts y where y.id = n.your_post_id and ${isOpen('y')})))`),
    updateDismissed: db.run(sql`
      update notices as n set delivered_at = ${now}, delivery_failures = 0
      where ${among(withdrawn)} and delivered_at is null and ${isDismissed}`),
    deleteWithdrawn: db.run(sql`delete from notices where ${among(withdrawn)} and delivered_at is null`),
  });
}

/** Statement: selects the undelivered notices about these claims. @param ids selects the claims. */
export function listUndelivered(db: Handle, ids: SQL) {
  return queryRows(db, idRow)`select id from notices where claim_id in (${ids}) and delivered_at is null`;
}
