import type { MatchReason } from '#worker/contract/matching.ts';
import { compareParts, compareWords, isSameWord } from './compare-details.ts';
import type { HeadPair } from './compare-items.ts';
import { closestHeads, compareKinds, compareQualities } from './compare-items.ts';
import { compareOwners } from './compare-names.ts';
import { compareAmounts, compareDays, compareIdentifiers, compareMeasures } from './compare-numbers.ts';
import { comparePlaces } from './compare-places.ts';
import type { Evidence } from './evidence.ts';
import { addEvidence, CONTRADICTION } from './evidence.ts';
import { getLexicon } from './lexicon.ts';
import type { ItemMention } from './read-items.ts';
import type { PostReading } from './read-post.ts';
import { closestKinship } from './thing-relations.ts';

export type Judgement = { isMatch: boolean; score: number; reasons: MatchReason[] };

/** The score at which both people are told; one point of evidence reaches it. */
export const MATCH_THRESHOLD = 0.5;

const NO_MATCH: Judgement = { isMatch: false, score: 0, reasons: [] };
const UNKNOWN_ITEM_POINTS = 0.45;
const INSIDE_POINTS = 0.3;

/** Whether a lost and a found post describe the same thing, how surely, and why. */
export function judgePair(lost: PostReading, found: PostReading): Judgement {
  const pair = closestHeads(lost.heads, found.heads);
  const identifiers = compareIdentifiers(lost.identifiers, found.identifiers);
  const owners = compareOwners(lost.persons, found.persons, isNamed(pair));
  const kind = compareThings(pair, lost, found, identifiers, owners);
  if (kind === null) return NO_MATCH;
  const total = addEvidence([
    kind,
    ...(pair === null ? [] : compareQualities(pair.lost, pair.found)),
    owners,
    identifiers,
    comparePlaces(lost.places, found.places),
    compareParts(lost.parts, found.parts),
    compareWords(
      pair === null ? lost.words.filter((word) => !lost.titleWords.includes(word)) : lost.words,
      found.words,
    ),
    compareIssuers(lost, found, pair),
    compareMeasures(lost.measures, found.measures),
    compareAmounts(lost.amounts, found.amounts, isMoney(pair)),
    compareDays(lost.day, found.day),
  ]);
  const score = total.points <= 0 ? 0 : 1 - 2 ** -total.points;
  return { isMatch: score >= MATCH_THRESHOLD, score, reasons: withoutRepeats(total.reasons) };
}

/** The evidence of the thing itself; null when the two are plainly different things. */
function compareThings(
  pair: HeadPair | null,
  lost: PostReading,
  found: PostReading,
  identifiers: Evidence,
  owners: Evidence,
): Evidence | null {
  if (pair !== null) return compareKinds(pair);
  if (lost.heads.length > 0 && found.heads.length > 0) {
    const inside = insideOther(lost, found) ?? insideOther(found, lost);
    if (inside !== null && owners.points >= 1) {
      const labels = getLexicon().things.get(inside.ids[0] ?? '')?.labels;
      return { points: INSIDE_POINTS, reasons: labels === undefined ? [] : [{ kind: 'item', ...labels }] };
    }
    return identifiers.points >= 2 ? { points: 0, reasons: [] } : null;
  }
  const word = lost.titleWords.find((a) => found.titleWords.some((b) => isSameWord(a, b)));
  if (word !== undefined) return { points: UNKNOWN_ITEM_POINTS, reasons: [{ kind: 'item', en: word, sw: word }] };
  return identifiers.points >= 2 || owners.points >= 1 ? { points: 0, reasons: [] } : null;
}

/** The wallet is lost with the card in it, and the card alone is found. */
function insideOther(outer: PostReading, inner: PostReading): ItemMention | null {
  return inner.heads.find((head) => outer.parts.some((part) => closestKinship(part.ids, head.ids) === 'same')) ?? null;
}

/** The school, hospital or office whose card it is. */
function compareIssuers(lost: PostReading, found: PostReading, pair: HeadPair | null): Evidence {
  if (!isNamed(pair)) return { points: 0, reasons: [] };
  const { places } = getLexicon();
  const issuers = (reading: PostReading): Set<string> =>
    new Set(reading.places.named.flat().filter((id) => places.get(id)?.isInstitution));
  const [left, right] = [issuers(lost), issuers(found)];
  if (left.size === 0 || right.size === 0) return { points: 0, reasons: [] };
  const shared = [...left].find((id) => right.has(id));
  if (shared === undefined) return { points: CONTRADICTION, reasons: [] };
  const name = places.get(shared)?.name ?? shared;
  return { points: 0.3, reasons: [{ kind: 'detail', en: name, sw: name }] };
}

function isNamed(pair: HeadPair | null): boolean {
  return pair?.lost.ids.some((id) => getLexicon().things.get(id)?.isNamed) ?? false;
}

function isMoney(pair: HeadPair | null): boolean {
  return pair?.lost.ids.includes('money') ?? false;
}

function withoutRepeats(reasons: MatchReason[]): MatchReason[] {
  const seen = new Set<string>();
  return reasons.filter((reason) => {
    const key = `${reason.kind} ${reason.en}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
