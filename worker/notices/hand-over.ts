import { getUserChannel } from '#durable/get-user-channel.ts';
import type { LiveMessage } from '#worker/contract/live-messages.ts';
import type { Db } from '#worker/db/client.ts';
import type { Env } from '#worker/env.ts';
import { groupByRecipient, type NoticeRow, toLiveMessage } from './notice-rules.ts';
import { deleteNotices, markHandedOver, readWaiting } from './store.ts';

/**
 * Hands the notices to their recipients' mailboxes and marks those that a mailbox took. One whose mailbox could
 * not be reached stays marked as waiting, for the sweep; one that is handed over twice is ignored by the mailbox.
 */
export async function handOverNotices(env: Env, db: Db, noticeIds: string[]): Promise<void> {
  if (noticeIds.length === 0) return;
  const rows = await readWaiting(db, noticeIds);
  const stale = noticeIds.filter((id) => !rows.some((row) => row.id === id));
  const taken = await Promise.all(
    [...groupByRecipient(rows)].map(([userId, notices]) => deliver(env, userId, notices)),
  );
  await markHandedOver(db, taken.flat(), Date.now());
  await deleteNotices(db, stale);
}

/** @returns the ids that the mailbox has now. */
async function deliver(env: Env, userId: string, notices: NoticeRow[]): Promise<string[]> {
  const messages: LiveMessage[] = notices.map(toLiveMessage);
  try {
    await getUserChannel(env, userId).deliver(messages);
    return messages.map((message) => message.id);
  } catch (error) {
    console.warn({
      event: 'mailbox_unreachable',
      notices: messages.length,
      name: error instanceof Error ? error.name : '',
    });
    return [];
  }
}
