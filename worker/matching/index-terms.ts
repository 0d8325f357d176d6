import { getLexicon } from './lexicon.ts';
import type { ItemMention } from './read-items.ts';
import { placesAround, regionOf } from './read-places.ts';
import type { PostReading } from './read-post.ts';
import { widerThings } from './thing-relations.ts';
import { consonantSkeleton, nameLookupKey } from './word-keys.ts';

/*
 * Candidates are the newest posts under a shared term, so a term must be rare enough that a true pair is among them
 * even when a million posts are open: a thing goes with its place, colour, make or a detail, never alone.
 */

const MOST_STORED = 24;
const MOST_LOOKED_UP = 12;
const MOST_NAME_TERMS = 3;
/** What is in a bag may be what the other side names, so the first few things count as well. */
const MOST_PARTS = 3;

/** What a post is stored under. */
export function indexTerms(reading: PostReading): string[] {
  return pick(termsFor(reading, storedKinds), MOST_STORED);
}

/** What a new post is looked up under, the most selective first. */
export function lookupTerms(reading: PostReading): string[] {
  return pick(termsFor(reading, lookedUpKinds), MOST_LOOKED_UP);
}

/** `=phone` is a post about just that; `^phone` also stands for every narrower thing. */
function storedKinds(id: string): string[] {
  const wider = widerThings(id).filter((wide) => wide !== id && !getLexicon().things.get(wide)?.isGroup);
  return [`=${id}`, ...[id, ...wider].map((kind) => `^${kind}`)];
}

function lookedUpKinds(id: string): string[] {
  const { things } = getLexicon();
  const wider = widerThings(id).filter((wide) => wide !== id && !things.get(wide)?.isGroup);
  const near = [...things.values()].filter((thing) => thing.near.has(id)).map((thing) => thing.id);
  const related = [...wider, ...(things.get(id)?.near ?? []), ...near];
  return [`^${id}`, ...related.map((kind) => `=${kind}`)];
}

function termsFor(reading: PostReading, kindsOf: (id: string) => string[]): string[][] {
  const heads = reading.heads.slice(0, 3);
  const kinds = [...new Set(heads.flatMap((head) => head.ids.flatMap(kindsOf)))];
  const places = [...new Set(reading.places.said.flat().concat(reading.places.named.flat()))];
  const regions = [...new Set(places.map(regionOf))];
  const features = heads.flatMap(featuresOf);
  const inside = [...new Set(reading.parts.slice(0, MOST_PARTS).flatMap((part) => part.ids))];
  return [
    reading.identifiers.map((identifier) => `#${identifier.folded.slice(-4)}`),
    nameTerms(reading),
    cross(cross(kinds, areasOf(places)), features),
    cross(kinds, areasOf(places)),
    cross(kinds, pairsOf(features)),
    cross(cross(kinds, regions), features),
    wordTerms(reading),
    cross(kinds, features),
    cross(kinds, regions),
    cross(inside.map((id) => `^${id}`), areasOf(places)),
  ];
}

function featuresOf(head: ItemMention): string[] {
  return [...head.brands, ...head.colours];
}

function pairsOf(features: string[]): string[] {
  return features.flatMap((a, index) => features.slice(index + 1).map((b) => [a, b].sort().join('+')));
}

/** The place, and the ward or town around it, so that Tip Top meets Manzese. */
function areasOf(places: string[]): string[] {
  const { places: known } = getLexicon();
  return [...new Set(places.flatMap((id) => placesAround(id).slice(0, 2)))].filter((id) => !known.get(id)?.isBig);
}

function nameTerms(reading: PostReading): string[] {
  return reading.persons.slice(0, MOST_NAME_TERMS).flatMap((person) => {
    const keys = person.names.filter((name) => name.length > 1).map(nameLookupKey);
    const first = keys[0];
    if (first === undefined) return [];
    return keys.length === 1
      ? [`n:${first}`]
      : pairsOf(keys)
          .map((pair) => `n:${pair}`)
          .concat(`n:${first}`);
  });
}

function wordTerms(reading: PostReading): string[] {
  const words = reading.heads.length === 0 ? [...reading.titleWords, ...reading.words] : reading.words;
  return [...new Set(words)].slice(0, 4).map((word) => `w:${word.slice(0, 1)}${consonantSkeleton(word.slice(1))}`);
}

function cross(left: string[], right: string[]): string[] {
  return left.flatMap((a) => right.map((b) => `${a}|${b}`));
}

function pick(groups: string[][], most: number): string[] {
  return [...new Set(groups.flat())].slice(0, most);
}
