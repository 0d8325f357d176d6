import type { Db } from '#worker/db/client.ts';
import { idsOf } from '#worker/db/rows.ts';
import { redactFor } from '#worker/posts/index.ts';
import { readUntold } from './store.ts';

/** What an e-mail or WhatsApp message says about waiting notices: what the first one is about, and how many there are. */
export type WaitingNotices = {
  isMatch: boolean;
  claimId: string | null;
  title: string;
  waiting: number;
  /** Those of the given ids that are still waiting. */
  noticeIds: string[];
};

/**
 * @param waiting how many there are, including those without an id in `noticeIds`.
 * @returns null when none of them is waiting any more. Titles contain no phone numbers, not even the reader's own.
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
    noticeIds: idsOf(rows),
  };
}
