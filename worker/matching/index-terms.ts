import { getLexicon } from './lexicon/lexicon.ts';
import { familyOf, widerThings } from './lexicon/thing-relations.ts';
import type { ItemMention } from './reading/item-mention.ts';
import { placesAround, regionOf } from './reading/read-places.ts';
import type { PostReading } from './reading/read-post.ts';
import { consonantSkeleton, nameLookupKey } from './words/word-keys.ts';

/*
 * Candidates are the newest posts under a shared term, so a term must be rare enough that a true pair is among them
 * even when a million posts are open: a thing goes with its place, colour, make or a detail.
 */

const MOST_STORED = 24;
const MOST_LOOKED_UP = 12;
const MOST_NAME_TERMS = 3;
/** What is in a bag may be what the other side names, so the first few things count as well. */
const MOST_PARTS = 3;
const MOST_WORDS = 5;
/** About five kilometres: two neighbouring wards share a cell or lie in two that touch. */
const CELL_DEGREES = 0.05;

/** No single kind of term may crowd out the others; what is left over is filled up in order. */
const STORED_SHARES = [3, 4, 5, 5, 3, 2, 4, 2, 4, 2, 2];
const LOOKED_UP_SHARES = [2, 3, 3, 3, 1, 1, 1, 1, 3, 1, 1];

/** What a post is stored under. */
export function indexTerms(reading: PostReading): string[] {
  return pick(termsFor(reading, storedKinds, ownCells), STORED_SHARES, MOST_STORED);
}

/** What a new post is looked up under, the most selective first. */
export function lookupTerms(reading: PostReading): string[] {
  return pick(termsFor(reading, lookedUpKinds, nearCells), LOOKED_UP_SHARES, MOST_LOOKED_UP);
}

/** `=phone` is a post about just that; `^phone` also stands for every narrower thing. */
function storedKinds(id: string): string[] {
  return [`^${id}`, `=${id}`, ...widerOf(id).map((kind) => `^${kind}`)];
}

function lookedUpKinds(id: string): string[] {
  const { things } = getLexicon();
  const near = [...things.values()].filter((thing) => thing.near.has(id)).map((thing) => thing.id);
  return [`^${id}`, ...[...widerOf(id), ...(things.get(id)?.near ?? []), ...near].map((kind) => `=${kind}`)];
}

function widerOf(id: string): string[] {
  const { things } = getLexicon();
  return widerThings(id).filter((wide) => wide !== id && !things.get(wide)?.isGroup);
}

function termsFor(
  reading: PostReading,
  kindsOf: (id: string) => string[],
  cellsOf: (place: string) => string[],
): string[][] {
  const heads = reading.heads.slice(0, 3);
  const ids = [...new Set(heads.flatMap((head) => head.ids))];
  const families = [...new Set(ids.map((id) => `~${familyOf(id)}`))];
  const kinds = [...new Set(ids.flatMap(kindsOf))];
  const places = [...new Set(reading.places.said.flat().concat(reading.places.named.flat()))];
  const regions = [...new Set(places.map(regionOf))];
  const cells = [...new Set(places.slice(0, 2).flatMap(cellsOf))];
  const features = heads.flatMap(featuresOf);
  const inside = [...new Set(reading.parts.slice(0, MOST_PARTS).flatMap((part) => part.ids))];
  const areas = areasOf(places);
  return [
    reading.identifiers.map((identifier) => `#${identifier.folded.slice(-4)}`),
    nameTerms(reading),
    cross(areas, cross(families, features)),
    cross(areas, kinds),
    cross(features, cross(cells, families)),
    cross(families, pairsOf(features)),
    cross(
      areas,
      inside.map((id) => `^${id}`),
    ),
    cross(cells, families),
    wordTerms(reading),
    cross(reading.places.words.slice(0, 2).map(wordTerm), families),
    cross(cross(families, regions), features),
    cross(regions, kinds),
    cross(families, features),
  ];
}

function featuresOf(head: ItemMention): string[] {
  return [...head.brands, ...head.colours];
}

function pairsOf(features: string[]): string[] {
  return features.flatMap((a, index) => features.slice(index + 1).map((b) => [a, b].sort().join('+')));
}

/** The place and what lies around it short of the region, so that Tip Top meets Manzese. */
function areasOf(places: string[]): string[] {
  const { places: known } = getLexicon();
  const around = [0, 1].flatMap((step) => places.flatMap((id) => placesAround(id).slice(step, step + 1)));
  return [...new Set(around)].filter((id) => !known.get(id)?.isBig);
}

function ownCells(id: string): string[] {
  const place = getLexicon().places.get(id);
  if (place?.latitude == null || place.longitude == null || place.isBig) return [];
  return [cell(place.latitude, place.longitude, 0, 0)];
}

/** The cell of the place and the one across its nearest edge each way. */
function nearCells(id: string): string[] {
  const place = getLexicon().places.get(id);
  if (place?.latitude == null || place.longitude == null || place.isBig) return [];
  const { latitude, longitude } = place;
  const side = (degrees: number): number => (Math.abs(degrees / CELL_DEGREES) % 1 < 0.5 === degrees >= 0 ? -1 : 1);
  const [north, east] = [side(latitude), side(longitude)];
  return [
    cell(latitude, longitude, 0, 0),
    cell(latitude, longitude, north, 0),
    cell(latitude, longitude, 0, east),
    cell(latitude, longitude, north, east),
  ];
}

function cell(latitude: number, longitude: number, north: number, east: number): string {
  return `@${Math.floor(latitude / CELL_DEGREES) + north}:${Math.floor(longitude / CELL_DEGREES) + east}`;
}

function nameTerms(reading: PostReading): string[] {
  return reading.persons.slice(0, MOST_NAME_TERMS).flatMap((person) => {
    const keys = [...new Set(person.names.filter((name) => name.length > 1).map(nameLookupKey))];
    const first = keys[0];
    if (first === undefined) return [];
    return keys.length === 1 ? [`n:${first}`] : [...pairsOf(keys).map((pair) => `n:${pair}`), `n:${first}`];
  });
}

/** Codes and names first: they are the rarest. */
function wordTerms(reading: PostReading): string[] {
  const marked = reading.words.filter((word) => reading.marks.includes(word));
  const words = reading.heads.length === 0 ? [...reading.titleWords, ...reading.words] : reading.words;
  return [...new Set([...marked, ...words])].slice(0, MOST_WORDS).map(wordTerm);
}

function wordTerm(word: string): string {
  return `w:${word.slice(0, 1)}${consonantSkeleton(word.slice(1))}`;
}

function cross(left: string[], right: string[]): string[] {
  return left.flatMap((a) => right.map((b) => `${a}|${b}`));
}

function pick(groups: string[][], shares: number[], most: number): string[] {
  const first = groups.flatMap((group, index) => group.slice(0, shares[index] ?? 1));
  return [...new Set([...first, ...groups.flat()])].slice(0, most);
}
