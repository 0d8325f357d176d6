import { closestKinship, isContainer } from '#worker/matching/lexicon/thing-relations.ts';
import type { ItemMention } from '#worker/matching/reading/item-mention.ts';
import type { HeadPair } from './compare-items.ts';
import type { Evidence } from './evidence.ts';
import { NO_EVIDENCE, withoutReason } from './evidence.ts';

/** Nobody lists all that was in it; but of the few things that each side names some would be the same. */
const OTHER_CONTENTS_POINTS = -0.45;
const ALL_OTHER_CONTENTS_POINTS = -0.8;
const MOSTLY_OTHER_CONTENTS_POINTS = -0.4;
const MANY_CONTENTS = 2;
/** A third of what the one who says less names. */
const LEAST_SHARED = 0.34;

/** Women's clothes in the one bag, a hammer and a saw in the other. */
export function compareContents(pair: HeadPair | null, lost: ItemMention[], found: ItemMention[]): Evidence {
  if (pair === null || ![...pair.lost.ids, ...pair.found.ids].some(isContainer)) return NO_EVIDENCE;
  const fewest = Math.min(lost.length, found.length);
  if (fewest === 0) return NO_EVIDENCE;
  const shared = lost.filter((a) => found.some((b) => closestKinship(a.ids, b.ids) !== 'none')).length;
  if (shared > 0) return withoutReason(shared <= fewest * LEAST_SHARED ? MOSTLY_OTHER_CONTENTS_POINTS : 0);
  return withoutReason(fewest >= MANY_CONTENTS ? ALL_OTHER_CONTENTS_POINTS : OTHER_CONTENTS_POINTS);
}
