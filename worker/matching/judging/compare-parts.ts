import { closestKinship, isContainer } from '#worker/matching/lexicon/thing-relations.ts';
import type { ItemMention } from '#worker/matching/reading/item-mention.ts';
import { allowedEdits, boundedEditDistance } from '#worker/matching/words/word-index.ts';
import { compareAttributes, compareColours, type HeadPair, reasonsOfThing } from './compare-items.ts';
import {
  addEvidence,
  CONTRADICTION,
  type Evidence,
  NO_EVIDENCE,
  reasonOf,
  sharedOf,
  withoutReason,
} from './evidence.ts';

const PART_POINTS = 0.15;
const MOST_PART_POINTS = 0.6;
/** The qualities of a part are weaker evidence than those of the thing itself. */
const PART_QUALITY_SHARE = 0.6;
const SAME_PART_BRAND_POINTS = 0.2;
const OTHER_PART_BRAND_POINTS = CONTRADICTION / 2;
/**
 * Points if the posts state different counts of a part. The deduction is small, because one author may count only some
 * of the parts: one paddle of two.
 */
const OTHER_PART_COUNT_POINTS = -0.7;
const WORD_POINTS = 0.18;
const MOST_WORD_POINTS = 0.5;
/** How many shared words are shown as reasons for a match. More words would hide the other reasons. */
export const MOST_WORDS_TOLD = 2;

/** Compares what is in or on the things: a red cover, keys, a torn strap. */
export function compareParts(lost: ItemMention[], found: ItemMention[]): Evidence {
  const seen = new Set<ItemMention>();
  const evidence: Evidence[] = [];
  let points = 0;
  for (const a of lost) {
    const akin = found.filter((part) => !seen.has(part) && closestKinship(a.ids, part.ids) !== 'none');
    const [best] = akin
      .map((part) => ({ part, qualities: comparePartQualities(a, part) }))
      .sort((one, other) => other.qualities.points - one.qualities.points);
    if (best === undefined) continue;
    const { part: b, qualities } = best;
    if (qualities.points < 0 && lost.some((other) => other !== a && mayBe(other, b))) continue;
    seen.add(b);
    if (qualities.points >= 0) {
      points = Math.min(points + PART_POINTS, MOST_PART_POINTS);
      evidence.push({ ...NO_EVIDENCE, reasons: reasonsOfThing('detail', a.ids, b.ids) });
    }
    evidence.push({
      points: Math.max(qualities.points * PART_QUALITY_SHARE, CONTRADICTION),
      reasons: qualities.reasons,
    });
  }
  return addEvidence([withoutReason(points), ...evidence]);
}

/** Whether two parts may be the same: a lost white case and a found black cover may not. */
function mayBe(a: ItemMention, b: ItemMention): boolean {
  return closestKinship(a.ids, b.ids) !== 'none' && comparePartQualities(a, b).points >= 0;
}

function comparePartQualities(a: ItemMention, b: ItemMention): Evidence {
  return addEvidence([
    compareColours(a.colours, b.colours, false),
    compareAttributes(a.attributes, b.attributes),
    comparePartBrands(a, b),
    comparePartCounts(a, b),
  ]);
}

function comparePartBrands(a: ItemMention, b: ItemMention): Evidence {
  if (a.brands.size === 0 || b.brands.size === 0) return NO_EVIDENCE;
  return withoutReason(sharedOf(a.brands, b.brands).length > 0 ? SAME_PART_BRAND_POINTS : OTHER_PART_BRAND_POINTS);
}

export function comparePartCounts(a: Pick<ItemMention, 'count'>, b: Pick<ItemMention, 'count'>): Evidence {
  if (a.count === null || b.count === null || a.count === b.count) return NO_EVIDENCE;
  return withoutReason(OTHER_PART_COUNT_POINTS);
}

/** Compares words that are in no word list: slogans, stickers, rare things. */
export function compareWords(lost: string[], found: string[]): Evidence {
  const shared = lost.filter((a) => found.some((b) => isSameWord(a, b)));
  return {
    points: Math.min(shared.length * WORD_POINTS, MOST_WORD_POINTS),
    reasons: shared.slice(0, MOST_WORDS_TOLD).map((word) => reasonOf('detail', word)),
  };
}

export function isSameWord(a: string, b: string): boolean {
  const limit = allowedEdits(Math.min(a.length, b.length));
  return boundedEditDistance(a, b, limit) <= limit;
}

/**
 * Points if the posts list different contents. Nobody lists all contents, but two posts about one bag usually share
 * some.
 */
const OTHER_CONTENTS_POINTS = -0.45;
const ALL_OTHER_CONTENTS_POINTS = -0.8;
const MOSTLY_OTHER_CONTENTS_POINTS = -0.4;
const MANY_CONTENTS = 2;
/** If the posts share at most this fraction of the shorter list of contents, the contents are mostly different. */
const LEAST_SHARED = 0.34;

/** Compares contents: a bag with women's clothes is not a bag with a hammer and a saw. */
export function compareContents(pair: HeadPair | null, lost: ItemMention[], found: ItemMention[]): Evidence {
  if (pair === null || ![...pair.lost.ids, ...pair.found.ids].some(isContainer)) return NO_EVIDENCE;
  const fewest = Math.min(lost.length, found.length);
  if (fewest === 0) return NO_EVIDENCE;
  const shared = lost.filter((a) => found.some((b) => closestKinship(a.ids, b.ids) !== 'none')).length;
  if (shared > 0) return withoutReason(shared <= fewest * LEAST_SHARED ? MOSTLY_OTHER_CONTENTS_POINTS : 0);
  return withoutReason(fewest >= MANY_CONTENTS ? ALL_OTHER_CONTENTS_POINTS : OTHER_CONTENTS_POINTS);
}
