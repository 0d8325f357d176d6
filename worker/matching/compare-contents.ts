import type { HeadPair } from './compare-items.ts';
import type { Evidence } from './evidence.ts';
import { against, NO_EVIDENCE } from './evidence.ts';
import { getLexicon } from './lexicon.ts';
import type { ItemMention } from './read-items.ts';
import { closestKinship, widerThings } from './thing-relations.ts';

/** Little: nobody lists all that was in it. */
const OTHER_CONTENTS_POINTS = -0.4;

/** Women's clothes in the one bag, a hammer and a saw in the other. */
export function compareContents(pair: HeadPair | null, lost: ItemMention[], found: ItemMention[]): Evidence {
  if (pair === null || !isContainer(pair.lost) || !isContainer(pair.found)) return NO_EVIDENCE;
  if (lost.length === 0 || found.length === 0) return NO_EVIDENCE;
  const isShared = lost.some((a) => found.some((b) => closestKinship(a.ids, b.ids) !== 'none'));
  return isShared ? NO_EVIDENCE : against(OTHER_CONTENTS_POINTS);
}

function isContainer(item: ItemMention): boolean {
  const { things } = getLexicon();
  return item.ids.some((id) => widerThings(id).some((wide) => things.get(wide)?.isContainer));
}
