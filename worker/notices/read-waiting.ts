import { getUserChannel } from '#durable/get-user-channel.ts';
import type { Db } from '#worker/db/client.ts';
import type { Env } from '#worker/env.ts';
import { redactFor } from '#worker/posts/index.ts';
import { readUntold } from './store.ts';

/** What a letter says of notices that wait: about which thing the first one is, and how many they are. */
export type WaitingNotices = { isMatch: boolean; title: string; waiting: number };

type Asked = { userId: string; noticeIds: string[]; waiting: number };

/**
 * Asks the mailbox and the database again, because some time has passed since the notices were handed to a queue.
 * @returns null when none of them waits any more. No title has a phone number, not even the reader's own.
 */
export async function readWaiting(
  env: Env,
  db: Db,
  { userId, noticeIds, waiting }: Asked,
): Promise<WaitingNotices | null> {
  const ids = await getUserChannel(env, userId).listWaiting(noticeIds);
  if (ids.length === 0) return null;
  const rows = await readUntold(db, userId, ids);
  const [first] = rows;
  if (!first) return null;
  return {
    isMatch: first.type === 'matching_post',
    title: redactFor('visitor', first.kind)(first.title ?? ''),
    waiting: waiting - (noticeIds.length - rows.length),
  };
}
