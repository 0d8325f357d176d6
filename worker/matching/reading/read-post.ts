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
 * How many entries of each list in a reading are stored. Every entry is compared with the entries of a hundred
 * candidates, so a post with thousands of names would be slow. The first entries matter most, as they say what the
 * thing is.
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
/** A word that is in no word list is ignored if it has fewer letters than this. */
const SHORTEST_WORD = 3;

/** The result of analysing a post: what it says, independent of its language. */
export type PostReading = {
  /** The lost or found thing itself; several if the post is about several things. */
  heads: ItemMention[];
  /** The qualities of the lost or found thing, used if the thing is in no word list. */
  unnamed: ItemMention;
  /** The parts of a group that differ from each other: two black goats and a white one. */
  members: Member[];
  /** Things in or on the lost thing. */
  parts: ItemMention[];
  /** Features of the thing, such as hair, a stone or a tag, each with its own colours and qualities. */
  features: Feature[];
  /** What the thing does not have, according to the post. */
  denied: Detail[];
  /** Things that say where the lost thing was: in a bus, on a chair. */
  setting: ItemMention[];
  persons: Person[];
  /** Schools, hospitals and offices that the post names. */
  issuers: string[];
  places: PlaceReading;
  identifiers: Identifier[];
  amounts: number[];
  measures: Measure[];
  /** Values with their slots. A slot is a kind of value: a plot, a room, a jersey number, a school form, a year. */
  values: SlotValue[];
  day: DayRange | null;
  /** Words that are in no word list: nicknames, slogans, rare things. */
  words: string[];
  /** Unknown words of the title, which may name a thing that is in no list. */
  titleWords: string[];
  /** All things that words of the title may mean, alone or in a phrase. */
  titleThings: string[];
  /**
   * All that the post says about the thing. Matching compares two posts by the details that both posts have and by the
   * details that only one post has.
   */
  details: Detail[];
  /** The words in `words` that are written as codes, abbreviations or proper names. */
  marks: string[];
  /** Ids of the concepts that the post mentions: words in the lexicon that name neither a thing nor a quality. */
  concepts: string[];
  /** Unknown names that are probably makes, such as Mobisol in "friji ya Mobisol". */
  makers: string[];
  /** Names of makes and clubs that describe no thing in the post, such as a club's name on a key ring. */
  makes: string[];
  /** Words written on the thing. */
  writing: string[];
  /** All words of title and description, in lower case. */
  text: string[];
};

type FieldReading = {
  /** The text as typed, without identifiers and amounts. */
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

/** Attaches all qualities to their things, then separates the lost thing itself from the other things. */
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

/** Kinds of word that are often written in two capitals: HP, ID, TV. */
const NAMED_LARGE = KIND_BITS.thing | KIND_BITS.brand | KIND_BITS.series;

/** Whether the value is already read as a make, thing or model: HP is a make, 105 in "Nokia 105" is a model. */
function isKnownOtherwise({ slot, value }: SlotValue, heads: ItemMention[]): boolean {
  if (slot === 'letters') return ((getLexicon().vocabulary.get(value) ?? 0) & NAMED_LARGE) !== 0;
  return slot === 'figures' && heads.some((head) => head.models.has(`number ${value}`));
}

/**
 * Returns the word for the thing in the title if the description begins with "of". With the title "Nimesahau miwani" (I
 * forgot glasses) and the description "ya jua" (of the sun), the thing is sunglasses.
 */
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

/** Returns the thing that a make alone implies: "Tecno Spark 8" is a phone. */
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

/** Increase this when a change of the rules changes the result of analysing a post. */
const RULES_VERSION = 11;

/** Returns the version of rules and lexicon. Posts that were analysed with another version are analysed again. */
export function readingVersion(): string {
  return `${RULES_VERSION} ${getLexicon().version}`;
}

/** JSON has no sets: a set is written as an array that begins with this string. */
const SET = '$set';

/**
 * Encodes a reading to be stored with its post: analysing a post takes many times as long as comparing two readings.
 */
export function encodeReading(reading: PostReading): string {
  return JSON.stringify(reading, (_key, value: unknown) => (value instanceof Set ? [SET, ...value] : value));
}

export function decodeReading(encoded: string): PostReading {
  return JSON.parse(encoded, (_key, value: unknown) =>
    Array.isArray(value) && value[0] === SET ? new Set(value.slice(1)) : value,
  ) as PostReading;
}
