import { getLexicon } from '#worker/matching/lexicon/lexicon.ts';
import { familyOf, widerThings } from '#worker/matching/lexicon/thing-relations.ts';
import type { ItemMention } from '#worker/matching/reading/item-mention.ts';
import { placesAround, regionOf } from '#worker/matching/reading/read-places.ts';
import type { PostReading } from '#worker/matching/reading/read-post.ts';
import { nameLookupKey } from '#worker/matching/words/word-keys.ts';
import { detailTerms, thingTerm, wordTerm } from './detail-terms.ts';

/*
 * Only the newest posts that share a term become candidates. A common term would hide the matching post behind newer
 * ones, so terms are made rare: a term combines a thing with its place, colour, make or a detail.
 */

/**
 * The kinds of term, the most selective first, each with a share of a post's terms. Every kind first gets its share. If
 * room is left, the remaining terms follow.
 */
const SHARES = {
  number: { stored: 3, lookedUp: 2 },
  name: { stored: 4, lookedUp: 3 },
  areaAndFeature: { stored: 5, lookedUp: 3 },
  areaAndThing: { stored: 5, lookedUp: 3 },
  areaAndDetail: { stored: 14, lookedUp: 7 },
  secondAreaAndDetail: { stored: 9, lookedUp: 3 },
  regionAndDetail: { stored: 8, lookedUp: 4 },
  cellAndFeature: { stored: 3, lookedUp: 1 },
  twoFeatures: { stored: 2, lookedUp: 1 },
  thingAndDetail: { stored: 4, lookedUp: 2 },
  cellAndFamily: { stored: 2, lookedUp: 1 },
  word: { stored: 4, lookedUp: 3 },
  placeWord: { stored: 2, lookedUp: 1 },
  regionAndFeature: { stored: 2, lookedUp: 1 },
  regionAndThing: { stored: 1, lookedUp: 1 },
  feature: { stored: 1, lookedUp: 1 },
} as const;

type TermKind = keyof typeof SHARES;
type TermsByKind = Record<TermKind, string[]>;

const MOST_TERMS = { stored: 52, lookedUp: 26 };

/**
 * Only the first things, people and areas of a post get terms. Without this limit, a post that names very many things
 * would be found by every look-up.
 */
const MOST_HEADS = 3;
const MOST_PERSONS = 3;
const MOST_SECOND_AREAS = 2;
/** A post may name two regions: the ends of a route. */
const MOST_REGIONS = 2;
const MOST_WORDS = 5;
const MOST_PLACES_WITH_CELLS = 2;
const MOST_PLACE_WORDS = 2;
/** A post is found by this many last characters of an identifier, because people often give only the end. */
const NUMBER_ENDING = 4;

export function indexTerms(reading: PostReading): string[] {
  return pick(termsOf(reading, storedKinds, ownCells), 'stored');
}

/** Returns the terms by which candidates for a post are looked up, the most selective first. */
export function lookupTerms(reading: PostReading): string[] {
  return pick(termsOf(reading, lookedUpKinds, nearCells), 'lookedUp');
}

function pick(terms: TermsByKind, use: 'stored' | 'lookedUp'): string[] {
  const kinds = Object.keys(SHARES) as TermKind[];
  const first = kinds.flatMap((kind) => terms[kind].slice(0, SHARES[kind][use]));
  return [...new Set([...first, ...kinds.flatMap((kind) => terms[kind])])].slice(0, MOST_TERMS[use]);
}

/**
 * A look-up for `=phone` finds posts about a phone in general. A look-up for `^phone` also finds posts about narrower
 * things, such as a smartphone.
 */
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

/**
 * Builds all terms of a post, with a sign before each kind of value: `#` the end of an identifier, `n:` a name, `w:` a
 * word, `^` or `=` a thing, `~` a family of things, `@` a map cell, no sign for makes, colours and places. After a
 * change of these signs, stored posts are not found until they are matched again.
 */
function termsOf(
  reading: PostReading,
  kindsOf: (id: string) => string[],
  cellsOf: (place: string) => string[],
): TermsByKind {
  const heads = reading.heads.slice(0, MOST_HEADS);
  const ids = unique(heads.flatMap((head) => head.ids));
  const families = unique(ids.map((id) => `~${familyOf(id)}`));
  const kinds = unique(ids.flatMap(kindsOf));
  const places = placesOf(reading);
  const regions = unique(places.map(regionOf));
  const cells = unique(places.slice(0, MOST_PLACES_WITH_CELLS).flatMap(cellsOf));
  const features = heads.flatMap(featuresOf);
  const areas = areasOf(places);
  const details = detailTerms(reading);
  const placeWords = reading.places.words.slice(0, MOST_PLACE_WORDS).map(wordTerm);
  const [around = [], ...furtherAreas] = [...areas.slice(0, 1), ...placeWords, ...areas.slice(1)].map((area) => [area]);
  return {
    number: reading.identifiers.map((identifier) => `#${identifier.folded.slice(-NUMBER_ENDING)}`),
    name: nameTerms(reading),
    areaAndFeature: cross(areas, cross(families, features)),
    areaAndThing: cross(areas, kinds),
    areaAndDetail: cross(around, details),
    secondAreaAndDetail: cross(details, furtherAreas.flat().slice(0, MOST_SECOND_AREAS)).map(turned),
    regionAndDetail: cross(details, regions.slice(0, MOST_REGIONS)).map(turned),
    cellAndFeature: cross(features, cross(cells, families)),
    twoFeatures: cross(families, pairsOf(features)),
    thingAndDetail: cross(ids.map(thingTerm), details),
    cellAndFamily: cross(cells, families),
    word: wordTerms(reading),
    placeWord: cross(placeWords, families),
    regionAndFeature: cross(cross(families, regions), features),
    regionAndThing: cross(regions, kinds),
    feature: cross(families, features),
  };
}

/** Returns the places of a post. Places with a unique name come first. */
function placesOf({ places }: PostReading): string[] {
  const mentions = [...places.said, ...places.named];
  return unique([...mentions.filter(({ length }) => length === 1), ...mentions].flat());
}

function featuresOf(head: ItemMention): string[] {
  return [...head.brands, ...head.colours];
}

function pairsOf(features: string[]): string[] {
  return features.flatMap((a, index) => features.slice(index + 1).map((b) => [a, b].sort().join('+')));
}

/**
 * Returns the places, and for each the next larger place around it: "Tip Top" is in "Manzese". Omits places that
 * lexicon/places.txt marks as big, such as Kilimanjaro.
 */
function areasOf(places: string[]): string[] {
  const { places: known } = getLexicon();
  const next = places.flatMap((id) => placesAround(id).slice(1, 2));
  return unique([...places, ...next]).filter((id) => !known.get(id)?.isBig);
}

function nameTerms(reading: PostReading): string[] {
  return reading.persons.slice(0, MOST_PERSONS).flatMap((person) => {
    const keys = unique(person.names.filter((name) => name.length > 1).map(nameLookupKey));
    const [first] = keys;
    if (first === undefined) return [];
    return keys.length === 1 ? [`n:${first}`] : [...pairsOf(keys).map((pair) => `n:${pair}`), `n:${first}`];
  });
}

/**
 * Returns terms for single words of a post. Model codes, abbreviations, proper names and words written on the thing
 * come first, because they are the rarest.
 */
function wordTerms(reading: PostReading): string[] {
  const { vocabulary } = getLexicon();
  const written = reading.writing.filter((word) => !vocabulary.has(word));
  const marked = [...reading.words.filter((word) => reading.marks.includes(word)), ...written];
  const words = reading.heads.length === 0 ? [...reading.titleWords, ...reading.words] : reading.words;
  return unique([...marked, ...words])
    .slice(0, MOST_WORDS)
    .map(wordTerm);
}

function cross(left: string[], right: string[]): string[] {
  return left.flatMap((a) => right.map((b) => `${a}|${b}`));
}

/** Swaps the two halves of a term: "detail|area" becomes "area|detail", the form of the terms of `areaAndDetail`. */
function turned(term: string): string {
  return term.split('|').reverse().join('|');
}

function unique(terms: string[]): string[] {
  return [...new Set(terms)];
}

/**
 * The height and width of a map cell, about five kilometres: two neighbouring wards are in one cell or in two adjacent
 * cells.
 */
const CELL_DEGREES = 0.05;
const HALF_CELL = 0.5;

/** Returns the map cell of a place; none for a place that covers many cells. */
export function ownCells(id: string): string[] {
  const position = positionOf(id);
  return position === null ? [] : [cell(position, 0, 0)];
}

/** Returns the map cell of a place and the three cells next to the corner that is nearest to the place. */
export function nearCells(id: string): string[] {
  const position = positionOf(id);
  if (position === null) return [];
  const [north, east] = [nearestSide(position.latitude), nearestSide(position.longitude)];
  return [cell(position, 0, 0), cell(position, north, 0), cell(position, 0, east), cell(position, north, east)];
}

type Position = { latitude: number; longitude: number };

function positionOf(id: string): Position | null {
  const place = getLexicon().places.get(id);
  if (place?.latitude == null || place.longitude == null || place.isBig) return null;
  return { latitude: place.latitude, longitude: place.longitude };
}

/** Whether the position is nearer to the previous cell (-1) or to the next cell (1). */
function nearestSide(degrees: number): -1 | 1 {
  const isInFirstHalf = Math.abs(degrees / CELL_DEGREES) % 1 < HALF_CELL === degrees >= 0;
  return isInFirstHalf ? -1 : 1;
}

function cell({ latitude, longitude }: Position, north: number, east: number): string {
  return `@${Math.floor(latitude / CELL_DEGREES) + north}:${Math.floor(longitude / CELL_DEGREES) + east}`;
}
