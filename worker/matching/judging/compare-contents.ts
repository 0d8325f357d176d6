import { closestKinship, isContainer } from '#worker/matching/lexicon/thing-relations.ts';
import type { ItemMention } from '#worker/matching/reading/item-mention.ts';
import type { HeadPair } from './compare-items.ts';
import type { Evidence } from './evidence.ts';
import { NO_EVIDENCE, withoutReason } from './evidence.ts';

/** Little: nobody lists all that was in it. */
const OTHER_CONTENTS_POINTS = -0.45;

/** Women's clothes in the one bag, a hammer and a saw in the other. */
export function compareContents(pair: HeadPair | null, lost: ItemMention[], found: ItemMention[]): Evidence {
  if (pair === null || !pair.lost.ids.some(isContainer) || !pair.found.ids.some(isContainer)) return NO_EVIDENCE;
  if (lost.length === 0 || found.length === 0) return NO_EVIDENCE;
  const isShared = lost.some((a) => found.some((b) => closestKinship(a.ids, b.ids) !== 'none'));
  return isShared ? NO_EVIDENCE : withoutReason(OTHER_CONTENTS_POINTS);
}
