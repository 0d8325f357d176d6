import { getUserChannel } from '#durable/get-user-channel.ts';
import type { Db } from '#worker/db/client.ts';
import type { Env } from '#worker/env.ts';
import { type OutOfStepNotice, toLiveMessage } from './notice-rules.ts';
import { readOutOfStep, recordInStep } from './store.ts';

/** Mailboxes spoken to at once: enough to be quick, few enough not to be throttled. */
const MAILBOXES_AT_ONCE = 25;

/**
 * Brings the recipients' mailboxes in step with these notices: those that are true are delivered, the others taken
 * back. What a mailbox agreed to is recorded; one that cannot be reached is left to the sweep. Every step may be
 * repeated: a mailbox ignores what it has, and a notice that is in step is not read again.
 */
export async function handOverNotices(env: Env, db: Db, noticeIds: string[]): Promise<void> {
  if (noticeIds.length === 0) return;
  const rows = await readOutOfStep(db, noticeIds);
  const mailboxes = [...Map.groupBy(rows, (row) => row.recipient_id)];
  const agreed: OutOfStepNotice[] = [];
  for (let start = 0; start < mailboxes.length; start += MAILBOXES_AT_ONCE) {
    const some = mailboxes.slice(start, start + MAILBOXES_AT_ONCE);
    agreed.push(...(await Promise.all(some.map(([userId, notices]) => bringInStep(env, userId, notices)))).flat());
  }
  if (agreed.length === 0) return;
  const [delivered, takenBack] = split(agreed);
  await recordInStep(db, { delivered: idsOf(delivered), takenBack: idsOf(takenBack), now: Date.now() });
}

/** @returns what the mailbox agreed to: all of it, or nothing when it cannot be reached. */
async function bringInStep(env: Env, userId: string, notices: OutOfStepNotice[]): Promise<OutOfStepNotice[]> {
  const [news, gone] = split(notices);
  try {
    const messages = news.map(toLiveMessage);
    await again(async () => {
      const channel = getUserChannel(env, userId);
      if (messages.length > 0) await channel.deliver(messages);
      if (gone.length > 0) await channel.settle(idsOf(gone));
    });
    return notices;
  } catch (error) {
    console.warn({
      event: 'mailbox_unreachable',
      notices: notices.length,
      name: error instanceof Error ? error.name : '',
    });
    return [];
  }
}

/** Tries a second time where the platform says that it helps, as after a deploy; never on an overloaded object. */
async function again(act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    const { retryable, overloaded } = error as { retryable?: boolean; overloaded?: boolean };
    if (!retryable || overloaded) throw error;
    await act();
  }
}

function split(notices: OutOfStepNotice[]): [news: OutOfStepNotice[], gone: OutOfStepNotice[]] {
  return [notices.filter((notice) => notice.is_true === 1), notices.filter((notice) => notice.is_true !== 1)];
}

function idsOf(notices: OutOfStepNotice[]): string[] {
  return notices.map((notice) => notice.id);
}
