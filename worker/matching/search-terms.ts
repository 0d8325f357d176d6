import { getLexicon } from '#worker/matching/lexicon/lexicon.ts';
import { familyOf, isMadeBy, widerThings } from '#worker/matching/lexicon/thing-relations.ts';
import type { Reason } from '#worker/matching/lexicon/word-reasons.ts';
import type { Identifier } from '#worker/matching/reading/read-identifiers.ts';
import type { Measure } from '#worker/matching/reading/read-measures.ts';
import { placesAround } from '#worker/matching/reading/read-places.ts';
import { type MatchablePost, type PostReading, readPost } from '#worker/matching/reading/read-post.ts';
import type { SlotValue } from '#worker/matching/reading/read-values.ts';
import { annotate } from './reading/annotate.ts';
import { type ItemMention, mentionsOf } from './reading/item-mention.ts';
import { tokenise } from './words/tokens.ts';
import { nameSoundKey } from './words/word-keys.ts';

// The terms by which a search finds posts by meaning, in no language. Posts are stored under these: with another spelling
// of a term, raise RULES_VERSION of stored-reading.ts. `of` is the family of the thing that a quality is said of.

/** The thing, or a kind of it, is said. */
export const thingTerm = (id: string) => `thing ${id}`;
/** A word of the title may name the thing. */
export const titledTerm = (id: string) => `titled ${id}`;
/** The thing is said in general, and none of its kinds. */
export const generalTerm = (id: string) => `general ${id}`;
export const placeTerm = (id: string) => `place ${id}`;
export const nameTerm = (name: string) => `name ${nameSoundKey(getLexicon().names.get(name) ?? name)}`;
export const qualityTerm = (kind: Quality, id: string, of: string | null = null) =>
  of === null ? `${kind} ${id}` : `${kind} of ${of} ${id}`;
/** Some quality of the kind is said. */
export const someTerm = (kind: Quality, of: string) => `${kind} of ${of}`;
export const NAMED = 'named';

export type Quality = 'colour' | 'make' | 'material' | 'size' | 'model';
/** What one post says of one thing it says of no other kind of thing; without a thing it says it of this. */
export const NO_THING = '';

/** How a post is found by meaning: its terms, those of them that a look-up may begin with, and its words. */
export type Meaning = { terms: string[]; indexed: string[]; words: string };

const NOT_INDEXED = /^(?:\w+ of |some |named$|said )/;
/** A post of nothing but names and places would cost as much to store as a hundred others. */
const MOST_TERMS = 100;
/** Things that words of the title may name. */
const MOST_TITLED = 12;

/** @param post as a visitor sees it. */
export function meaningOf(post: MatchablePost, reading: PostReading = readPost(post)): Meaning {
  const mentions = mentionsOf(reading);
  const tokens = [post.title, post.description, post.owner_first_name, post.owner_last_name, post.location]
    .flatMap(tokenise)
    .map(({ text }) => text);
  const { names, phrases } = getLexicon();
  const called = tokens.filter((word) => names.has(word) && (phrases.next?.get(word)?.senses.length ?? 0) === 0);
  const terms = [
    ...new Set([
      ...[...mentions.flatMap(({ ids }) => ids), ...thingsAt(post.location)].flatMap(termsOfThing),
      ...reading.titleThings.flatMap(widerThings).slice(0, MOST_TITLED).map(titledTerm),
      ...reading.places.said.flatMap((ids) => sharedPlaces(ids)).map(placeTerm),
      ...[...namesOf(reading), ...called].map(nameTerm),
      ...(reading.persons.length > 0 ? [NAMED] : []),
      ...[...mentions, ...(reading.heads.length === 0 ? [reading.unnamed] : [])].flatMap(termsOfQualities),
      ...reading.heads.flatMap((head) => termsOfQualities({ ...head, ids: [] })),
      ...reading.makes.map((make) => qualityTerm('make', make)),
      ...reading.identifiers.flatMap(termsOfIdentifier),
      ...reading.values.flatMap(termsOfValue),
      ...reading.measures.flatMap((measure) => termsOfMeasure(measure)),
      ...mentions.flatMap(({ attributes }) => [...attributes].map((id) => `said ${id}`)),
      ...reading.concepts.map((id) => `said ${id}`),
    ]),
  ].slice(0, MOST_TERMS);
  return {
    terms,
    indexed: terms.filter((term) => !NOT_INDEXED.test(term)),
    words: ` ${[...new Set(tokens)].join(' ')} `,
  };
}

/** "Kwenye daladala, Ubungo": what the location says beside places. */
function thingsAt(location: string): string[] {
  return annotate(tokenise(location), 'text').flatMap(({ senses }) =>
    senses.some(({ kind }) => kind === 'place')
      ? []
      : senses.filter(({ kind }) => kind === 'thing').map(({ id }) => id),
  );
}

let general: Set<string> | null = null;

function termsOfThing(id: string): string[] {
  const { things } = getLexicon();
  general ??= new Set([...things.values()].flatMap(({ parent }) => (parent === null ? [] : [parent])));
  const thing = things.get(id);
  const same = thing?.isOfGlossary ? [...thing.near] : [];
  return [...[id, ...same].flatMap(widerThings).map(thingTerm), ...(general.has(id) ? [generalTerm(id)] : [])];
}

/** Of several places of one name only what all of them lie in is sure, besides the places themselves. */
function sharedPlaces(ids: string[]): string[] {
  const [first = [], ...others] = ids.map(placesAround);
  return [...new Set([...ids, ...first.filter((id) => others.every((around) => around.includes(id)))])];
}

export function namesOf({ persons }: Pick<PostReading, 'persons'>): string[] {
  return [...new Set(persons.flatMap(({ names }) => names.filter((name) => name.length > 1)))];
}

/** The families of the thing that qualities are compared within. */
export function familiesOf(ids: string[]): string[] {
  return ids.length === 0 ? [NO_THING] : [...new Set(ids.map(familyOf))];
}

/** The qualities of a thing in the words of terms; attributes only of the groups that a search compares. */
export function qualitiesOf({ colours, brands, models, attributes }: ItemMention): (readonly [Quality, string])[] {
  const groups = [...attributes].flatMap((id) => {
    const group = getLexicon().attributes.get(id)?.group;
    return group === 'material' || group === 'size' ? [[group, id] as const] : [];
  });
  return [
    ...[...colours].map((id) => ['colour', id] as const),
    ...[...brands].map((id) => ['make', id.toLowerCase()] as const),
    ...[...models].filter((model) => /\d/.test(model)).map((model) => ['model', modelOf(model)] as const),
    ...groups,
  ];
}

/** "number a14": A14 and 14 are not compared. */
function modelOf(model: string): string {
  return model.slice(model.indexOf(' ') + 1);
}

/** Whether another make would contradict it: the tyre of a Noah may be a Bridgestone. */
export function isOfItself({ ids }: ItemMention, kind: Quality, id: string): boolean {
  return (
    kind !== 'make' ||
    ids.length === 0 ||
    [...getLexicon().brands.keys()].some((brand) => brand.toLowerCase() === id && isMadeBy(ids, brand))
  );
}

function termsOfQualities(item: ItemMention): string[] {
  return qualitiesOf(item).flatMap(([kind, id]) => [
    qualityTerm(kind, id),
    ...familiesOf(item.ids).flatMap((of) => [
      ...(isOfItself(item, kind, id) ? [someTerm(kind, of)] : []),
      qualityTerm(kind, id, of),
    ]),
  ]);
}

/** Numbers that name one single thing. Of the others only the beginning or the end is known. */
const WHOLE_NUMBERS: readonly Identifier['kind'][] = ['plate', 'nida', 'imei', 'serial'];

export function termsOfIdentifier({ kind, folded }: Identifier): string[] {
  return WHOLE_NUMBERS.includes(kind) ? [`number ${folded}`, `some ${kind}`] : [`number ${folded}`];
}

/** Values that differ only between two things. A code is compared with those of the same letters: A14 with A04. */
const TELLING_SLOTS: readonly SlotValue['slot'][] = [
  'number',
  'plot',
  'block',
  'room',
  'seat',
  'tag',
  'jersey',
  'class',
  'form',
  'volume',
  'file',
  'route',
  'group',
  'code',
  'rim',
  'dimensions',
  'reference',
];
const UNTOLD_SLOTS: readonly SlotValue['slot'][] = ['letters', 'side', 'initials'];

/** The value, and what its presence excludes: another value there. */
export function termsOfValue({ slot, value }: SlotValue): string[] {
  if (UNTOLD_SLOTS.includes(slot)) return [];
  const letters = slot === 'code' ? value.replace(/[^a-z]+/g, '') : '';
  return [`number ${value}`, ...(TELLING_SLOTS.includes(slot) ? [`some ${slot}${letters}`] : [])];
}

/** Two measures of one step, or of two that touch, may be one. */
const STEP = Math.log(1.2);
const COMPARED: readonly Measure['dimension'][] = [
  'litres',
  'kilograms',
  'metres',
  'watts',
  'volts',
  'milliampere-hours',
  'gigabytes',
  'plates',
  'strings',
  'size',
];

/** The measure, and what its presence excludes. @param reach how many steps away another counts as the same. */
export function termsOfMeasure({ dimension, value }: Measure, reach = 0): string[] {
  if (!COMPARED.includes(dimension) || value <= 0) return [];
  const isWhole = dimension === 'size' || dimension === 'plates' || dimension === 'strings';
  const at = isWhole ? value : Math.round(Math.log(value) / STEP);
  const beside = Array.from({ length: 2 * reach + 1 }, (_, index) => at + index - reach);
  return [...beside.map((step) => `number ${dimension}${step}`), `some ${dimension}`];
}

/** One way in which a post may say a part of a search. */
export type Saying = { term: string; reason: Reason; isNear?: true; isWord?: true };

export function saying(term: string, reason: Reason): Saying {
  return { term, reason };
}

let nearOf: Map<string, string[]> | null = null;

function nearThings(id: string): string[] {
  const { things } = getLexicon();
  if (nearOf === null) {
    nearOf = new Map();
    for (const thing of things.values()) {
      for (const other of thing.near) {
        nearOf.set(other, [...(nearOf.get(other) ?? []), thing.id]);
        nearOf.set(thing.id, [...(nearOf.get(thing.id) ?? []), other]);
      }
    }
  }
  return [...new Set(nearOf.get(id) ?? [])];
}

export function sayingsOfThings(ids: string[]): Saying[] {
  const { things } = getLexicon();
  const reasonOf = (id: string): Reason => ({ kind: 'item', key: `thing ${id}` });
  const same = ids.flatMap((id) => (things.get(id)?.isOfGlossary ? [id, ...(things.get(id)?.near ?? [])] : [id]));
  const wider = ids.flatMap((id) => widerThings(id).slice(1)).filter((id) => things.get(id)?.isGroup === false);
  return [
    ...[...new Set(same)].map((id) => saying(thingTerm(id), reasonOf(id))),
    ...wider.map((id) => ({ ...saying(generalTerm(id), reasonOf(id)), isNear: true as const })),
    ...ids.flatMap(nearThings).map((id) => ({ ...saying(thingTerm(id), reasonOf(id)), isNear: true as const })),
    ...ids.map((id) => ({ ...saying(titledTerm(id), reasonOf(id)), isNear: true as const })),
  ];
}

export function sayingOfPlace(id: string): Saying {
  return saying(placeTerm(id), { kind: 'place', text: getLexicon().places.get(id)?.name ?? id });
}

export function sayingOfName(name: string): Saying {
  return saying(nameTerm(name), { kind: 'name', text: capitalise(name) });
}

export function sayingsOfQuality(kind: Quality, id: string, of: string | null): Saying[] {
  if (kind === 'colour') return sayingsOfColour(id, of);
  const term = qualityTerm(kind, id, of);
  if (kind === 'make') return [saying(term, { kind: 'brand', text: nameOfMake(id) })];
  if (kind === 'model') return [saying(term, { kind: 'detail', text: id.toUpperCase() })];
  return [saying(term, { kind: 'detail', key: `attribute ${id}` })];
}

function nameOfMake(id: string): string {
  return [...getLexicon().brands.keys()].find((brand) => brand.toLowerCase() === id) ?? capitalise(id);
}

/** Two people may call the same thing by either name of two colours that are near. */
export function sayingsOfColour(id: string, of: string | null): Saying[] {
  const { colours } = getLexicon();
  const around = [...colours.values()].flatMap((other) => {
    const isNear = other.near.has(id) || colours.get(id)?.near.has(other.id) || colours.get(id)?.parent === other.id;
    if (other.id !== id && other.parent !== id && !isNear) return [];
    const told = saying(qualityTerm('colour', other.id, of), { kind: 'colour', key: `colour ${other.id}` });
    return [isNear ? { ...told, isNear: true as const } : told];
  });
  return around;
}

export function capitalise(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
