import type { PostReading } from '#worker/matching/reading/read-post.ts';
import { isSameWord } from './compare-details.ts';
import type { Evidence } from './evidence.ts';
import { NO_EVIDENCE, withoutReason } from './evidence.ts';

const OTHER_WRITING_POINTS = -1.1;
/** "Forever Lulu" and "Forever Sam": a part of it agrees, and each has another part that the other has not. */
const PARTLY_OTHER_POINTS = -0.4;

/** One thing does not say two things: where both quote it, a word of the one must stand somewhere in the other post. */
export function compareWritings(lost: PostReading, found: PostReading): Evidence {
  if (lost.writing.length === 0 || found.writing.length === 0) return NO_EVIDENCE;
  const missing = (writing: string[], text: string[]): number =>
    writing.filter((a) => !text.some((b) => isSameWord(a, b))).length;
  const [ofLost, ofFound] = [missing(lost.writing, found.text), missing(found.writing, lost.text)];
  if (ofLost === lost.writing.length && ofFound === found.writing.length) return withoutReason(OTHER_WRITING_POINTS);
  return ofLost > 0 && ofFound > 0 ? withoutReason(PARTLY_OTHER_POINTS) : NO_EVIDENCE;
}
