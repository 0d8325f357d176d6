import type { PostReading } from '#worker/matching/reading/read-post.ts';
import { isSameWord } from './compare-details.ts';
import type { Evidence } from './evidence.ts';
import { NO_EVIDENCE, withoutReason } from './evidence.ts';

const OTHER_WRITING_POINTS = -0.8;

/** One thing does not say two things: where both quote it, a word of the one must stand somewhere in the other post. */
export function compareWritings(lost: PostReading, found: PostReading): Evidence {
  if (lost.writing.length === 0 || found.writing.length === 0) return NO_EVIDENCE;
  const isIn = (writing: string[], text: string[]): boolean => writing.some((a) => text.some((b) => isSameWord(a, b)));
  const isShared = isIn(lost.writing, found.text) || isIn(found.writing, lost.text);
  return isShared ? NO_EVIDENCE : withoutReason(OTHER_WRITING_POINTS);
}
