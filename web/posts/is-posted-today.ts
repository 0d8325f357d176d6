import type { PostInput } from '#contract/posts.ts';
import { isToday } from '#web/lib/format.ts';
import { readNewestOwnPosts } from './api.ts';

/** As long as a person may be kept waiting for a question. */
const WAIT_MAX_MS = 3_000;

/**
 * Whether its writer has posted the same today: the same title but for case and spaces, of the same kind. What cannot
 * be known in time, or without a network, is no reason to ask.
 */
export async function isPostedToday({ title, posted_by }: PostInput): Promise<boolean> {
  if (!navigator.onLine) return false;
  try {
    const own = await readNewestOwnPosts(AbortSignal.timeout(WAIT_MAX_MS));
    return own.some(
      (post) => post.posted_by === posted_by && fold(post.title) === fold(title) && isToday(post.created_at),
    );
  } catch {
    return false;
  }
}

function fold(title: string): string {
  return title.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();
}
