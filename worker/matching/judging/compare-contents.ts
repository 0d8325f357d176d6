import { closestKinship, isContainer } from '#worker/matching/lexicon/thing-relations.ts';
import type { ItemMention } from '#worker/matching/reading/item-mention.ts';
import type { HeadPair } from './compare-items.ts';
import type { Evidence } from './evidence.ts';
import { NO_EVIDENCE, withoutReason } from './evidence.ts';

/** Nobody lists all that was in it; but of two things that each side names one would be the same. */
const OTHER_CONTENTS_POINTS = -0.45;
const ALL_OTHER_CONTENTS_POINTS = -0.8;
const MANY_CONTENTS = 2;

/** Women's clothes in the one bag, a hammer and a saw in the other. */
export function compareContents(pair: HeadPair | null, lost: ItemMention[], found: ItemMention[]): Evidence {
  if (pair === null || !pair.lost.ids.some(isContainer) || !pair.found.ids.some(isContainer)) return NO_EVIDENCE;
  if (lost.length === 0 || found.length === 0) return NO_EVIDENCE;
  const isShared = lost.some((a) => found.some((b) => closestKinship(a.ids, b.ids) !== 'none'));
  if (isShared) return NO_EVIDENCE;
  const areMany = Math.min(lost.length, found.length) >= MANY_CONTENTS;
  return withoutReason(areMany ? ALL_OTHER_CONTENTS_POINTS : OTHER_CONTENTS_POINTS);
}
