import type { Db } from '#worker/db/client.ts';
import { redactFor } from '#worker/posts/index.ts';
import { readUntold } from './store.ts';

/** What a letter says of notices that wait: about which thing and claim the first one is, and how many they are. */
export type WaitingNotices = {
  isMatch: boolean;
  claimId: string | null;
  title: string;
  waiting: number;
  /** Those that were named and are still to be told. */
  noticeIds: string[];
};

/**
 * @param waiting how many they are, with those that are not named.
 * @returns null when none of them is to be told any more. No title has a phone number, not even the reader's own.
 */
export async function readWaiting(
  db: Db,
  { userId, noticeIds, waiting }: { userId: string; noticeIds: string[]; waiting: number },
): Promise<WaitingNotices | null> {
  const rows = await readUntold(db, userId, noticeIds);
  const [first] = rows;
  if (!first) return null;
  return {
    isMatch: first.is_match === 1,
    claimId: first.claim_id,
    title: redactFor('visitor', first.kind)(first.title ?? ''),
    waiting: waiting - (noticeIds.length - rows.length),
    noticeIds: rows.map(({ id }) => id),
  };
}
