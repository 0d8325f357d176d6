import { getLexicon } from '#worker/matching/lexicon/lexicon.ts';
import { isMadeBy } from '#worker/matching/lexicon/thing-relations.ts';
import type { Person } from '#worker/matching/reading/read-names.ts';
import type { PostReading } from '#worker/matching/reading/read-post.ts';
import { allowedEdits, boundedEditDistance } from '#worker/matching/words/word-index.ts';
import { consonantSkeleton, nameSoundKey, nameSpellingKey } from '#worker/matching/words/word-keys.ts';
import { isSameWord } from './compare-parts.ts';
import {
  addEvidence,
  CONTRADICTION,
  capitalise,
  type Evidence,
  NO_EVIDENCE,
  reasonOf,
  withoutReason,
} from './evidence.ts';

/**
 * Points by the number of names that agree. If the names of both people of a couple agree, the number is that
 * of the person with more agreeing names, plus one.
 */
const SHARED_NAMES_POINTS = { one: 0.4, two: 1.01, three: 1.1, more: 1.15 };
/**
 * Points for different names, unless both posts say that their name is the owner's: a name may be the finder's or a
 * firm's.
 */
const OTHER_SEEN_NAME_POINTS = -0.9;
/** Points for a different name that a finder entered as the owner's: weak evidence, as many finders enter their own. */
const OTHER_GIVEN_NAME_POINTS = -0.3;
/** Names of at least this many letters may differ by a typing error. Shorter names must be equal. */
const SHORTEST_MISSPELT = 4;
/**
 * If `names.txt` contains both names, they may differ by a typing error only if each has at least this many letters.
 */
const SHORTEST_MISSPELT_OF_KNOWN = 6;
const LONGEST_INITIAL = 2;
const COUPLE = 2;

/**
 * Whether two spellings are one name. If `names.txt` contains both, they must be spelling variants; otherwise a short
 * form or a typing error is accepted.
 */
export function isSameName(a: string, b: string): boolean {
  if (a === b) return true;
  if (isInitial(a) || isInitial(b)) return a.startsWith(b) || b.startsWith(a);
  if (isFemaleForm(a, b) || isFemaleForm(b, a)) return false;
  const { names } = getLexicon();
  const [left, right] = [names.get(a), names.get(b)];
  if (left !== undefined && right !== undefined) return left === right || isSpelledAlike(a, b);
  const shorter = Math.min(a.length, b.length);
  if (shorter < SHORTEST_MISSPELT) return false;
  if (isShortForm(a, b) || isShortForm(b, a)) return true;
  if (nameSoundKey(a) === nameSoundKey(b)) return true;
  const limit = Math.max(1, allowedEdits(shorter));
  return boundedEditDistance(a, b, limit) <= limit;
}

/** Whether the name is an initial, such as "K." or "Kh." for Khamis. */
function isInitial(name: string): boolean {
  return name.length === 1 || (name.length <= LONGEST_INITIAL && !getLexicon().names.has(name));
}

/** Whether `long` is the female form of the name `short`: Emmanuela and Emmanuel are different people. */
function isFemaleForm(long: string, short: string): boolean {
  return long === `${short}a` && getLexicon().names.has(short);
}

/** Whether `short` is a short form of `long` ("Ibra" for Ibrahim), and only `long` is in `names.txt`. */
function isShortForm(short: string, long: string): boolean {
  const { names } = getLexicon();
  return short.length >= SHORTEST_MISSPELT && long.startsWith(short) && !names.has(short) && names.has(long);
}

/** Whether two names in `names.txt` are spellings of one name: Gasper and Gaspar are, Farid and Farida are not. */
function isSpelledAlike(a: string, b: string): boolean {
  if (nameSpellingKey(a) === nameSpellingKey(b)) return true;
  if (Math.min(a.length, b.length) < SHORTEST_MISSPELT_OF_KNOWN || a.endsWith('a') !== b.endsWith('a')) return false;
  return a[0] === b[0] && consonantSkeleton(a) === consonantSkeleton(b) && boundedEditDistance(a, b, 1) <= 1;
}

type Likeness = { verdict: 'same' | 'partly' | 'different'; shared: number; names: string[] };

/**
 * Compares two people's names, in any order. A middle name may be missing, but not the first name: "Mariam Juma Hassan"
 * may be "Mariam Hassan", but neither "Juma Hassan" nor "Mariam Juma Ally".
 */
export function comparePersons(a: string[], b: string[]): Likeness {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  const free = new Set(long.keys());
  const matched: string[] = [];
  let firstOfLongMatched = false;
  for (const name of short) {
    const at = [...free].find((index) => isSameName(name, long[index] ?? ''));
    if (at === undefined) continue;
    free.delete(at);
    if (at === 0) firstOfLongMatched = true;
    matched.push(name);
  }
  if (matched.length < short.length) return { verdict: 'different', shared: matched.length, names: matched };
  if (short.length === 1) return { verdict: 'partly', shared: 1, names: matched };
  const isSame = firstOfLongMatched || long.length === short.length;
  return { verdict: isSame ? 'same' : 'different', shared: matched.length, names: matched };
}

/**
 * Compares the owners' names.
 * @param holdsNamed the thing contains cards, from which a finder reads the owner's name.
 */
export function compareOwners(lost: Person[], found: Person[], isNamedThing: boolean, holdsNamed = false): Evidence {
  const [left, right] = [distinct(lost), distinct(found)];
  if (left.length === 0 || right.length === 0) return NO_EVIDENCE;
  const pairs = left.flatMap((a) => right.map((b) => ({ a, b, likeness: comparePersons(a.names, b.names) })));
  const agreeing = pairs.filter((pair) => pair.likeness.verdict !== 'different');
  const best = agreeing.sort((x, y) => y.likeness.shared - x.likeness.shared)[0];
  if (best === undefined) {
    const bothSaid =
      left.some((person) => person.certainty === 'said') && right.some(({ certainty }) => certainty === 'said');
    if (bothSaid || isNamedThing) return withoutReason(CONTRADICTION);
    const isGiven = right.every(({ certainty }) => certainty === 'given');
    return withoutReason(isGiven && !holdsNamed ? OTHER_GIVEN_NAME_POINTS : OTHER_SEEN_NAME_POINTS);
  }
  if (isBrokenCouple(left, right, agreeing.length)) return withoutReason(CONTRADICTION);
  const isCouple = agreeing.length > 1 && left.length > 1 && right.length > 1;
  const told = isCouple ? agreeing : [best];
  const shown = told.map(({ likeness }) => likeness.names.map(capitalise).join(' '));
  return {
    points: pointsOfShared(best.likeness.shared + (isCouple ? 1 : 0)),
    reasons: [reasonOf('name', shown.join(', '))],
  };
}

function pointsOfShared(sharedNames: number): number {
  const { one, two, three, more } = SHARED_NAMES_POINTS;
  return [one, two, three][sharedNames - 1] ?? more;
}

/** Whether two couples differ in one person: "Peter and Esther" are not Peter and Agnes. */
function isBrokenCouple(left: Person[], right: Person[], agreeing: number): boolean {
  const areTwo = (persons: Person[]): boolean => persons.filter((person) => person.names.length === 1).length >= COUPLE;
  return areTwo(left) && areTwo(right) && agreeing < COUPLE;
}

function distinct(persons: Person[]): Person[] {
  const kept: Person[] = [];
  for (const person of persons) {
    const at = kept.findIndex((other) => comparePersons(other.names, person.names).verdict !== 'different');
    const known = kept[at];
    const certainty = known?.certainty === 'said' ? 'said' : person.certainty;
    if (known === undefined) kept.push(person);
    else kept[at] = { names: person.names.length > known.names.length ? person.names : known.names, certainty };
  }
  return kept;
}

const ISSUER_POINTS = 0.3;
/** Points for different issuers. The deduction is small: a bag may hold papers of a school and receipts of a shop. */
const OTHER_ISSUER_POINTS = -0.75;

/** Whether two issuers are the same. The name "mkwawa" is the same as the institution with the id "Mkwawa, Iringa". */
function isSameIssuer(a: string, b: string): boolean {
  return isSameWord(a, b) || b.toLowerCase().startsWith(`${a}, `);
}

/** Compares the issuers of cards and uniforms: ids of known institutions, or names beside a word such as "school". */
export function compareIssuers(lost: string[], found: string[], isNamedThing: boolean): Evidence {
  if (lost.length === 0 || found.length === 0) return NO_EVIDENCE;
  const shared = lost.find((a) => found.some((b) => isSameIssuer(a, b) || isSameIssuer(b, a)));
  if (shared === undefined) return withoutReason(isNamedThing ? CONTRADICTION : OTHER_ISSUER_POINTS);
  const place = getLexicon().places.get(shared);
  return { points: ISSUER_POINTS, reasons: [reasonOf('detail', place?.name ?? capitalise(shared))] };
}

const OTHER_MAKER_POINTS = -0.7;
/**
 * Points for different names on the things. Few points are deducted, as a thing may show several clubs, firms or banks.
 */
const OTHER_MARK_POINTS = -0.5;

/**
 * Compares makes. Even a make that is not in the lexicon is evidence against a different make, unless the two names are
 * similar.
 */
export function compareMakers(lost: PostReading, found: PostReading): Evidence {
  const isOpen = lost.makers.length + found.makers.length > 0;
  return addEvidence([
    isOpen ? compareNamed(lost, found, namesOf, OTHER_MAKER_POINTS) : NO_EVIDENCE,
    compareNamed(lost, found, (post) => post.makes, OTHER_MARK_POINTS),
  ]);
}

function compareNamed(
  lost: PostReading,
  found: PostReading,
  of: (post: PostReading) => string[],
  otherPoints: number,
): Evidence {
  const [left, right] = [of(lost), of(found)];
  if (left.length === 0 || right.length === 0) return NO_EVIDENCE;
  const isIn = (names: string[], text: string[]): boolean => names.some((a) => text.some((b) => isSameWord(a, b)));
  return isIn(left, [...right, ...found.text]) || isIn(right, lost.text) ? NO_EVIDENCE : withoutReason(otherPoints);
}

function namesOf(post: PostReading): string[] {
  return [...post.makers, ...post.heads.flatMap((head) => [...head.brands].map((brand) => brand.toLowerCase()))];
}

/** Weights of shared words that are in no word list. MARK_WEIGHT is for codes, abbreviations and proper names. */
const MARK_WEIGHT = 1;
const WORD_WEIGHT = 0.5;
const NAME_POINTS = 0.5;
const SHORTEST_NAME = 4;
const MODEL_CODE = /^[a-z]+\d+[a-z]*$/;

/** How much rare text two posts share. Posts about different things in one place rarely share much rare text. */
type Coincidence = {
  /** Make and model. A phone and its cover share these too. */
  make: number;
  /** Rare words, names and firms. If two posts share these, one thing may have been inside the other. */
  other: number;
  words: string[];
};

export function coincidenceOf(lost: PostReading, found: PostReading): Coincidence {
  const marks = new Set([...lost.marks, ...found.marks]);
  const heads = [...lost.heads, ...found.heads].flatMap((head) => head.ids);
  const right = [...found.words, ...makesOf(found)];
  const shared = [...new Set([...lost.words, ...makesOf(lost)])].filter((a) => right.some((b) => isSameWord(a, b)));
  const made = shared.filter((word) => isOfModel(word, heads));
  const words = shared.filter((word) => !made.includes(word));
  const furtherMakes = made.filter((word) => !MODEL_CODE.test(word)).slice(1);
  const isSameIssuer = lost.issuers.some((issuer) => found.issuers.includes(issuer) && !shared.includes(issuer));
  return {
    words: shared,
    make: made.length > 0 ? MARK_WEIGHT : 0,
    other:
      furtherMakes.length * MARK_WEIGHT +
      words.reduce((sum, word) => sum + (marks.has(word) ? MARK_WEIGHT : WORD_WEIGHT), 0) +
      (isSameIssuer ? MARK_WEIGHT : 0) +
      nameWeight(sharedName(lost, found)),
  };
}

/**
 * Finds a word that one post marks as a name and that the other post also contains: "Kokubanza R." may be the person
 * named Kokubanza Rweyemamu.
 */
export function compareNamesWithWords(lost: PostReading, found: PostReading): Evidence {
  const name = sharedName(lost, found);
  if (name === undefined) return NO_EVIDENCE;
  return { points: NAME_POINTS, reasons: [reasonOf('name', capitalise(name))] };
}

function makesOf(post: PostReading): string[] {
  const items = [...post.heads, post.unnamed, ...post.parts];
  const codes = items.flatMap((item) => [...item.models].flatMap(codeOf));
  return [...post.makes, ...items.flatMap((item) => [...item.brands].map((brand) => brand.toLowerCase())), ...codes];
}

/**
 * Whether the word is a model code (A12) or the make of the thing. "Azam" on a cool box is neither: the firm only
 * advertises on the box.
 */
function isOfModel(word: string, heads: string[]): boolean {
  if (MODEL_CODE.test(word)) return true;
  return [...getLexicon().brands.keys()].some((brand) => brand.toLowerCase() === word && isMadeBy(heads, brand));
}

function codeOf(model: string): string[] {
  const code = model.replace('number ', '');
  return MODEL_CODE.test(code) ? [code] : [];
}

function sharedName(lost: PostReading, found: PostReading): string | undefined {
  return nameAmong(lost, found.words) ?? nameAmong(found, lost.words) ?? ownerOfBoth(lost, found);
}

/**
 * Returns the owner's name that both posts contain. Returns undefined for documents: a person owns many documents, so
 * the person's name does not show which document is meant.
 */
function ownerOfBoth(lost: PostReading, found: PostReading): string | undefined {
  const { things } = getLexicon();
  if ([...lost.heads, ...found.heads].some((head) => head.ids.some((id) => things.get(id)?.isNamed))) return undefined;
  return nameAmong(
    lost,
    found.persons.flatMap((person) => person.names),
  );
}

function nameAmong(post: PostReading, words: string[]): string | undefined {
  const names = post.persons.flatMap((person) => person.names).filter((name) => name.length >= SHORTEST_NAME);
  return names.find((name) => words.some((word) => word.length >= SHORTEST_NAME && isSameName(name, word)));
}

/**
 * Returns the weight of a shared name. A name that is not in `names.txt` is stronger evidence: many people are called
 * Juma, hardly anyone is called Kokubanza.
 */
function nameWeight(name: string | undefined): number {
  if (name === undefined) return 0;
  return getLexicon().names.has(name) ? WORD_WEIGHT : MARK_WEIGHT;
}
