import { getLexicon } from '#worker/matching/lexicon/lexicon.ts';
import { KIND_BITS } from '#worker/matching/lexicon/lexicon-types.ts';
import { foldText, isConnective, type Token, tokenise } from '#worker/matching/words/tokens.ts';
import { annotate, meaningsOf } from './annotate.ts';
import { attachQualities } from './attach-qualities.ts';
import { chooseHeads, foldHeads, narrowHeads } from './choose-heads.ts';
import { type Element, type ItemMention, newItem, sensesOf } from './item-mention.ts';
import { type DayRange, readDay } from './read-dates.ts';
import { type Detail, readDenied, readDetails } from './read-details.ts';
import { type Feature, markFeatures, readFeatures } from './read-features.ts';
import { dropFigures, type Identifier, readIdentifiers } from './read-identifiers.ts';
import { assignRoles, type Field, type Member, readMembers, toElements } from './read-items.ts';
import { type Measure, readMeasures } from './read-measures.ts';
import { type Person, readIssuers, readNames, readOwnerFields, takeOwner } from './read-names.ts';
import { type PlaceReading, readLocation, readNamedPlaces } from './read-places.ts';
import { readValues, type SlotValue } from './read-values.ts';
import { readMakers, readMarks, readWritings } from './read-writings.ts';

export type MatchablePost = {
  title: string;
  description: string;
  location: string;
  owner_first_name: string;
  owner_last_name: string;
  posted_by: 'owner' | 'finder';
  created_at: number;
};

/**
 * Each of these is compared with each of another post's, of a hundred candidates: a description of nothing but them must
 * not take the time of everybody's. The first ones say what the thing is.
 */
const MENTIONS_MAX = 20;
const IDENTIFIERS_MAX = 20;
const AMOUNTS_MAX = 20;
const MEASURES_MAX = 30;
const VALUES_MAX = 60;
const PLACES_MAX = 30;
const DENIED_MAX = 20;
const WORDS_MAX = 60;
const PERSONS_MAX = 12;
const WRITING_MAX = 20;
const CONCEPTS_MAX = 40;
const DETAILS_MAX = 60;
const FEATURES_MAX = 20;
const MEMBERS_MAX = 8;
/** Letters. */
const SHORTEST_WORD = 3;

/** What a post says, in no language. */
export type PostReading = {
  /** The lost thing itself; more than one when several are named together. */
  heads: ItemMention[];
  /** What is said of the thing when no list knows it. */
  unnamed: ItemMention;
  /** Those of a group that are told apart. */
  members: Member[];
  /** What is in it or on it. */
  parts: ItemMention[];
  /** What is said of these, and of whatever else is on it. */
  features: Feature[];
  /** What it is said not to have. */
  denied: Detail[];
  /** Where it was, and on what. */
  setting: ItemMention[];
  persons: Person[];
  /** Schools, hospitals, offices that the post names. */
  issuers: string[];
  places: PlaceReading;
  identifiers: Identifier[];
  amounts: number[];
  measures: Measure[];
  /** Plots, rooms, jerseys, forms, years: values under a cue. */
  values: SlotValue[];
  day: DayRange | null;
  /** Words that no list knows: nicknames, slogans, rare things. */
  words: string[];
  /** Unknown words of the title: what the thing may be when it is in no list. */
  titleWords: string[];
  /** Every thing that a word of the title may name, alone or in a phrase. */
  titleThings: string[];
  /** All that it says of the thing, for what both mention to count, and what neither does. */
  details: Detail[];
  /** Of those words the ones that are written as codes, abbreviations or proper names. */
  marks: string[];
  /** What words of the glossary mean that name neither things nor qualities: ids of concepts. */
  concepts: string[];
  /** Unknown names that stand where a make is due. */
  makers: string[];
  /** Makes and clubs that nothing in the post is made by. */
  makes: string[];
  /** What is written on the thing. */
  writing: string[];
  /** Every word of title and description as it stands. */
  text: string[];
};

type FieldReading = {
  /** As typed, without the numbers that were taken out. */
  text: string;
  concepts: string[];
  issuers: string[];
  tokens: Token[];
  elements: Element[];
  persons: Person[];
  words: string[];
  places: string[][];
};

export function readPost(post: MatchablePost): PostReading {
  const [inTitle, inDescription] = [readIdentifiers(post.title), readIdentifiers(post.description)];
  const owner = readOwnerFields(post.owner_first_name, post.owner_last_name, post.posted_by);
  const title = readField(inTitle.rest, 'title', owner);
  const begun = continuedWord(title, inDescription.rest);
  const description = readField(`${begun}${inDescription.rest}`, 'description', owner);
  if (begun !== '') takeContinuation(title, description);
  const located = readLocation(expandChat(tokenise(post.location)));
  const { heads, unnamed, all, makes } = resolveThings(title, description);
  const text = `${inTitle.rest}\n${inDescription.rest}`;
  return {
    heads: heads.slice(0, MENTIONS_MAX),
    unnamed,
    parts: all.filter((item) => item.role === 'part' || item.role === 'loose').slice(0, MENTIONS_MAX),
    members: [title, description].flatMap((field) => readMembers(field.tokens, field.elements)).slice(0, MEMBERS_MAX),
    features: [title, description]
      .flatMap((field) => readFeatures(field.tokens, field.elements))
      .slice(0, FEATURES_MAX),
    denied: [title, description].flatMap((field) => readDenied(field.tokens, field.elements)).slice(0, DENIED_MAX),
    setting: all.filter((item) => item.role === 'context').slice(0, MENTIONS_MAX),
    persons: [...(owner === null ? [] : [owner]), ...title.persons, ...description.persons].slice(0, PERSONS_MAX),
    issuers: [...title.issuers, ...description.issuers],
    places: { ...located, named: [...located.named, ...title.places, ...description.places].slice(0, PLACES_MAX) },
    identifiers: [...inTitle.identifiers, ...inDescription.identifiers].slice(0, IDENTIFIERS_MAX),
    amounts: [...inTitle.amounts, ...inDescription.amounts].slice(0, AMOUNTS_MAX),
    measures: readMeasures(foldText(text)).slice(0, MEASURES_MAX),
    values: readValues(text, foldText(text))
      .filter((value) => !isKnownOtherwise(value, heads))
      .slice(0, VALUES_MAX),
    day: readDay(text, post.created_at),
    words: [...new Set([...makes, ...title.words, ...description.words])].slice(0, WORDS_MAX),
    titleWords: title.words,
    titleThings: thingsNamed(title),
    details: [title, description]
      .flatMap((field) => readDetails(field.tokens, field.elements, heads, field !== title || heads.length > 0))
      .slice(0, DETAILS_MAX),
    marks: [...makes, ...[title, description].flatMap((field) => readMarks(field.tokens))],
    concepts: [...new Set([...title.concepts, ...description.concepts])].slice(0, CONCEPTS_MAX),
    makers: [title, description].flatMap((field) => readMakers(field.tokens, field.elements)),
    makes,
    writing: [title, description].flatMap((field) => readWritings(field.text, field.tokens)).slice(0, WRITING_MAX),
    text: [...title.tokens, ...description.tokens].map((token) => token.text),
  };
}

/** Of all that the two fields name the thing itself, once everything that is said is handed to what it is said of. */
export function resolveThings(title: FieldReading, description: FieldReading) {
  const elements = [...title.elements, ...description.elements];
  const chosen = chooseHeads(title.elements, description.elements, title.tokens);
  const unnamed = chosen[0] ?? impliedHead(elements);
  const makes = [title, description].flatMap((field) => attachQualities(field.tokens, field.elements, unnamed));
  const all = elements.flatMap((element) => (element.item ? [element.item] : []));
  const heads = foldHeads(chosen.length > 0 ? chosen : [unnamed], all);
  narrowHeads(heads, all);
  return { heads: heads.filter((item) => item.ids.length > 0), unnamed, all, makes };
}

/** Kinds of word that are written in two large letters. */
const NAMED_LARGE = KIND_BITS.thing | KIND_BITS.brand | KIND_BITS.series;

/** The 105 of a Nokia is weighed with its make, and HP, ID or TV is a word that happens to stand large. */
function isKnownOtherwise({ slot, value }: SlotValue, heads: ItemMention[]): boolean {
  if (slot === 'letters') return ((getLexicon().vocabulary.get(value) ?? 0) & NAMED_LARGE) !== 0;
  return slot === 'figures' && heads.some((head) => head.models.has(`number ${value}`));
}

/** "Nimesahau miwani | ya jua": a description that opens with "of" goes on where the title ended. */
function continuedWord(title: FieldReading, description: string): string {
  if (!isConnective(tokenise(description)[0]?.text ?? '')) return '';
  const heads = title.elements.filter((element) => element.item?.role === 'head' && element.end - element.start === 1);
  const word = heads.length === 1 ? title.tokens[heads[0]?.start ?? -1]?.text : undefined;
  return word === undefined ? '' : `${word} `;
}

function takeContinuation(title: FieldReading, description: FieldReading): void {
  const head = title.elements.find((element) => element.item?.role === 'head')?.item;
  const again = description.elements[0]?.item;
  if (!head || !again) return;
  head.ids = again.ids;
  again.role = 'loose';
}

export function readField(text: string, field: Field, owner: Person | null): FieldReading {
  const tokens = dropFigures(expandChat(tokenise(text)));
  const { persons, taken } = readNames(tokens);
  takeOwner(tokens, owner?.names ?? [], taken);
  const annotations = annotate(tokens, 'text', taken);
  const elements = toElements(tokens, annotations);
  assignRoles(elements, field);
  markFeatures(elements);
  const words = annotations
    .filter((annotation) => annotation.senses.length === 0)
    .map((annotation) => tokens[annotation.start]?.text ?? '')
    .filter((word) => word.length >= SHORTEST_WORD && !/^\d+$/.test(word));
  const concepts = annotations.flatMap(({ senses }) =>
    senses.filter(({ kind, id }) => kind === 'concept' && getLexicon().concepts.has(id)).map(({ id }) => id),
  );
  const places = readNamedPlaces(tokens, annotations);
  return { text, concepts, tokens, elements, persons, words, places, issuers: readIssuers(tokens, places) };
}

export function thingsNamed({ tokens, elements }: FieldReading): string[] {
  const ofPhrases = elements.flatMap((element) => sensesOf(element, 'thing'));
  const ofWords = tokens.flatMap(({ text }) => meaningsOf(text).filter(({ kind }) => kind === 'thing'));
  return [...new Set([...ofPhrases, ...ofWords.map(({ id }) => id)])];
}

/** A make alone names its thing: "Tecno Spark 8" is a phone. */
function impliedHead(elements: Element[]): ItemMention {
  const { brands } = getLexicon();
  for (const element of elements) {
    const brand = element.senses.find((sense) => sense.kind === 'brand' || sense.kind === 'series');
    const makes = brand === undefined ? undefined : brands.get(brand.id)?.makes;
    if (makes?.[0] !== undefined) return newItem([makes[0]], 'head');
  }
  return newItem([], 'head');
}

function expandChat(tokens: Token[]): Token[] {
  const { chat } = getLexicon();
  return tokens.flatMap((token) => {
    const full = chat.get(token.text);
    return full === undefined
      ? [token]
      : full.map((text, index) => ({ ...token, text, gap: index === 0 ? token.gap : '' }));
  });
}

/** Raised with whatever changes what is read in a post. */
const RULES_VERSION = 10;

/** Of the rules and the lists that posts are read by: what another has read is read again. */
export function readingVersion(): string {
  return `${RULES_VERSION} ${getLexicon().version}`;
}

/** Sets are no JSON: one is written as an array that begins with this. */
const SET = '$set';

/** A reading as it is stored beside its post, since reading costs many times what judging does. */
export function encodeReading(reading: PostReading): string {
  return JSON.stringify(reading, (_key, value: unknown) => (value instanceof Set ? [SET, ...value] : value));
}

export function decodeReading(encoded: string): PostReading {
  return JSON.parse(encoded, (_key, value: unknown) =>
    Array.isArray(value) && value[0] === SET ? new Set(value.slice(1)) : value,
  ) as PostReading;
}
