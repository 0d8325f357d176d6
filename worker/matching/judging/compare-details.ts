import { getLexicon } from '#worker/matching/lexicon/lexicon.ts';
import { closestKinship } from '#worker/matching/lexicon/thing-relations.ts';
import type { ItemMention } from '#worker/matching/reading/item-mention.ts';
import { allowedEdits, boundedEditDistance } from '#worker/matching/words/edit-distance.ts';
import { compareAttributes, compareColours } from './compare-items.ts';
import type { Evidence } from './evidence.ts';
import { addEvidence, CONTRADICTION } from './evidence.ts';

const PART_POINTS = 0.25;
const MOST_PART_POINTS = 0.6;
const WORD_POINTS = 0.25;
const MOST_WORD_POINTS = 0.5;

/** What is in it or on it: a red cover, keys, a torn strap. */
export function compareParts(lost: ItemMention[], found: ItemMention[]): Evidence {
  const seen = new Set<ItemMention>();
  const evidence: Evidence[] = [];
  let points = 0;
  for (const a of lost) {
    const b = found.find((part) => !seen.has(part) && closestKinship(a.ids, part.ids) !== 'none');
    if (b === undefined) continue;
    seen.add(b);
    const qualities = addEvidence([
      compareColours(a.colours, b.colours, false),
      compareAttributes(a.attributes, b.attributes),
      { points: brandClash(a, b), reasons: [] },
    ]);
    const labels = getLexicon().things.get(a.ids[0] ?? '')?.labels;
    if (qualities.points >= 0) {
      points = Math.min(points + PART_POINTS, MOST_PART_POINTS);
      if (labels !== undefined) evidence.push({ points: 0, reasons: [{ kind: 'detail', ...labels }] });
    }
    evidence.push({ points: Math.max(qualities.points * 0.6, CONTRADICTION), reasons: qualities.reasons });
  }
  return addEvidence([{ points, reasons: [] }, ...evidence]);
}

function brandClash(a: ItemMention, b: ItemMention): number {
  if (a.brands.size === 0 || b.brands.size === 0) return 0;
  return [...a.brands].some((brand) => b.brands.has(brand)) ? 0.2 : CONTRADICTION / 2;
}

/** Words that no list knows but both use: a slogan, a sticker, a rare thing. */
export function compareWords(lost: string[], found: string[]): Evidence {
  const shared = lost.filter((a) => found.some((b) => isSameWord(a, b)));
  return {
    points: Math.min(shared.length * WORD_POINTS, MOST_WORD_POINTS),
    reasons: shared.slice(0, 2).map((word) => ({ kind: 'detail', en: word, sw: word })),
  };
}

export function isSameWord(a: string, b: string): boolean {
  const limit = allowedEdits(Math.min(a.length, b.length));
  return boundedEditDistance(a, b, limit) <= limit;
}
