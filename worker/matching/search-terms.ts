import { createHash } from 'node:crypto';
import { getLexicon } from '#worker/matching/lexicon/lexicon.ts';
import { familyOf, isMadeBy, widerThings } from '#worker/matching/lexicon/thing-relations.ts';
import type { Identifier } from '#worker/matching/reading/read-identifiers.ts';
import type { Measure } from '#worker/matching/reading/read-measures.ts';
import { placesAround } from '#worker/matching/reading/read-places.ts';
import { type MatchablePost, type PostReading, readPost } from '#worker/matching/reading/read-post.ts';
import type { SlotValue } from '#worker/matching/reading/read-values.ts';
import { annotate } from './reading/annotate.ts';
import { type ItemMention, mentionsOf } from './reading/item-mention.ts';
import { tokenise } from './words/tokens.ts';
import { nameSoundKey } from './words/word-keys.ts';

// Terms by which a search finds posts by meaning. Each post is stored with its terms. After a change of the terms,
// raise RULES_VERSION in reading/read-post.ts, so that stored posts get the new terms. In `qualityTerm` and `someTerm`,
// `of` is a family: all things that may be the same, such as everything that may be called a phone.

/** The term of posts that mention the thing, or a narrower kind of it. */
export const thingTerm = (id: string) => `thing ${id}`;
/** The term of posts whose title has a word that may mean the thing. */
export const titledTerm = (id: string) => `titled ${id}`;
/** The term of posts that mention the thing in general, not a narrower kind of it. */
export const generalTerm = (id: string) => `general ${id}`;
export const placeTerm = (id: string) => `place ${id}`;
export const nameTerm = (name: string) => `name ${nameSoundKey(getLexicon().names.get(name) ?? name)}`;
export const qualityTerm = (kind: Quality, id: string, of: string | null = null) =>
  of === null ? `${kind} ${id}` : `${kind} of ${of} ${id}`;
/** The term of posts that state a quality of this kind, such as a colour, for a thing of the family `of`. */
export const someTerm = (kind: Quality, of: string) => `${kind} of ${of}`;
export const NAMED = 'named';

export type Quality = 'colour' | 'make' | 'material' | 'size' | 'model';
/** The value of `of` for the qualities in a post that names no thing. */
export const NO_THING = '';

/** The length of a stored term. Six characters hold 36 bits, so two terms almost never have the same stored form. */
const STORED_CHARS = 6;

/** Returns the form in which a term is stored. It is short, because a search reads the terms of up to 2,000 posts. */
export function storedTerm(term: string): string {
  return createHash('sha256').update(term).digest('base64url').slice(0, STORED_CHARS);
}

/**
 * What is stored to find a post by meaning: its terms, those of its terms that are indexed, and its words. The terms
 * are in their stored form.
 */
export type Meaning = { terms: string[]; indexed: string[]; words: string };

const NOT_INDEXED = /^(?:\w+ of |some |named$|said )/;
/**
 * Without this limit, a post that consists only of names and places would cost as much to store as a hundred other
 * posts.
 */
const MOST_TERMS = 100;
/** How many `titledTerm` terms a post gets at most. */
const MOST_TITLED = 12;

/** Returns what is stored with a post, so that searches find the post. @param post the post as a visitor sees it. */
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
  const stored = terms.map(storedTerm);
  return {
    terms: stored,
    indexed: stored.filter((_, at) => !NOT_INDEXED.test(terms[at] ?? '')),
    words: ` ${[...new Set(tokens)].join(' ')} `,
  };
}

/** Returns the things that the location mentions in addition to places: "kwenye daladala, Ubungo" (in a bus). */
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

/**
 * Returns the places with these ids and the larger places that contain all of them. The places share one name, and the
 * post does not say which of them it means.
 */
function sharedPlaces(ids: string[]): string[] {
  const [first = [], ...others] = ids.map(placesAround);
  return [...new Set([...ids, ...first.filter((id) => others.every((around) => around.includes(id)))])];
}

export function namesOf({ persons }: Pick<PostReading, 'persons'>): string[] {
  return [...new Set(persons.flatMap(({ names }) => names.filter((name) => name.length > 1)))];
}

/**
 * Returns the thing's families: sets of things that may be the same. Two qualities, such as two colours, can contradict
 * each other only if their things share a family.
 */
export function familiesOf(ids: string[]): string[] {
  return ids.length === 0 ? [NO_THING] : [...new Set(ids.map(familyOf))];
}

/**
 * Returns the qualities of a thing by which a search finds it: colours, makes, models and, of its attributes, only the
 * material and the size.
 */
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

/**
 * Returns a model without the first word, which is `number` or `series`: "a14" for "number a14". The letters stay,
 * because A14 and 14 are different models.
 */
function modelOf(model: string): string {
  return model.slice(model.indexOf(' ') + 1);
}

/**
 * Whether another quality of the kind `kind`, such as another colour, contradicts the quality `id` of the item. False
 * for a make that does not produce the thing: a tyre of a Toyota may be the same thing as a Bridgestone tyre, because
 * Toyota produces no tyres.
 */
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

/** Kinds of identifier that a post states completely. Of other kinds, a post states only the beginning or the end. */
const WHOLE_NUMBERS: readonly Identifier['kind'][] = ['plate', 'nida', 'imei', 'serial'];

export function termsOfIdentifier({ kind, folded }: Identifier): string[] {
  return WHOLE_NUMBERS.includes(kind) ? [`number ${folded}`, `some ${kind}`] : [`number ${folded}`];
}

/**
 * Slots (kinds of value) in which two different values show that two posts are about different things. Codes are
 * compared only if they have the same letters, such as A14 and A04.
 */
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

/**
 * Returns the term of posts with this value and, for some slots (kinds of value), the term of posts with any value in
 * the slot, such as any plot number. A post with only the second term contradicts a search for the value.
 */
export function termsOfValue({ slot, value }: SlotValue): string[] {
  if (UNTOLD_SLOTS.includes(slot)) return [];
  const letters = slot === 'code' ? value.replace(/[^a-z]+/g, '') : '';
  return [`number ${value}`, ...(TELLING_SLOTS.includes(slot) ? [`some ${slot}${letters}`] : [])];
}

/** Measures are rounded to steps of 20 %. Two measures in one step, or in adjacent steps, may be equal. */
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

/**
 * Returns the terms of the measure. The last term is the same for all measures in one dimension, such as litres.
 * @param reach by how many steps another measure may differ and still count as equal.
 */
export function termsOfMeasure({ dimension, value }: Measure, reach = 0): string[] {
  if (!COMPARED.includes(dimension) || value <= 0) return [];
  const isWhole = dimension === 'size' || dimension === 'plates' || dimension === 'strings';
  const at = isWhole ? value : Math.round(Math.log(value) / STEP);
  const beside = Array.from({ length: 2 * reach + 1 }, (_, index) => at + index - reach);
  return [...beside.map((step) => `number ${dimension}${step}`), `some ${dimension}`];
}
