import { sql } from 'drizzle-orm';
import { getUserChannel } from '#durable/get-user-channel.ts';
import type { Db } from '#worker/db/client.ts';
import { idsOf } from '#worker/db/rows.ts';
import { type Env, readConfig } from '#worker/env.ts';
import { errorName } from '#worker/errors/error-name.ts';
import { log } from '#worker/errors/log.ts';
import { inForce } from '#worker/limits/in-force.ts';
import { NUMBERS_A_DAY } from '#worker/limits/limits.ts';
import { toLiveMessage, type UndeliveredNotice } from './notice-rules.ts';
import { readUndelivered, recordDelivery } from './store.ts';

/** How many mailboxes are called in parallel: enough to be quick, few enough not to be throttled. */
const MAILBOXES_AT_ONCE = 25;

/**
 * Delivers the notices that are still true to their recipients' mailboxes, and retracts the others. What a mailbox has
 * accepted is recorded; one that cannot be reached is left to the sweep. Every step is repeatable: a mailbox ignores what
 * it already has, and a notice recorded as delivered is not read again.
 */
export async function deliverNotices(env: Env, db: Db, noticeIds: string[]): Promise<void> {
  if (noticeIds.length === 0) return;
  const some = sql`select value as id from json_each(${JSON.stringify(noticeIds)})`;
  await tellMailboxes(env, db, await readUndelivered(db, some));
}

/** As `deliverNotices`, of notices that have just been read (`reviseAndRead`). */
export async function tellMailboxes(env: Env, db: Db, notices: UndeliveredNotice[]): Promise<void> {
  // One iterator for all: a mailbox that is slow to answer holds up none of the others.
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

/** @returns what the mailbox has accepted: everything, or nothing when it cannot be reached. */
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

/** Retries once if the platform says that it may help, for example after a deploy; never for an overloaded object. */
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
