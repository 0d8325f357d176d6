import { getLexicon } from '#worker/matching/lexicon/lexicon.ts';
import { KIND_BITS } from '#worker/matching/lexicon/lexicon-types.ts';
import { isConnective, isSilent, type Token, tokenise } from '#worker/matching/words/tokens.ts';
import { knownForms } from './annotate.ts';
import { withoutFigures } from './read-identifiers.ts';
import type { PlaceMention } from './read-places.ts';

export type Person = {
  names: string[];
  /**
   * `said`: the post says that the thing is this person's. `seen`: the name is somewhere in the text. `given`: a finder
   * entered the name as the owner's. The finder may have read it on the thing, or entered their own name by mistake.
   */
  certainty: 'said' | 'seen' | 'given';
};

/** The most words in a name. */
const LONGEST_NAME = 4;
/** A word without a vowel is no name if it has more letters than this: BQT is part of a number plate. */
const LONGEST_WITHOUT_VOWEL = 2;
/**
 * A cue is a word that announces a name, such as "jina" (name). Fewer than this many words may be between a cue and its
 * colon: "Jina kwenye kadi ni:".
 */
const CUE_REACH = 4;
const CUES =
  /^(?:jina|majina|name|names|named|surname|jna|belongs|belonging|labelled|labeled|aitwaye|anaitwa|linasomeka|inasomeka|kinasomeka|lililoandikwa|limeandikwa|iliyoandikwa|imeandikwa|kimeandikwa|yameandikwa|mmiliki|titled|engraved|inscribed|imechongwa|iliyochongwa|kimechongwa|limechongwa|umechongwa)$/;
const CUE_PAIRS =
  /^(?:mali ya|issued to|registered to|owned by|addressed to|owner is|names of|name of|bearing the|written on)$/;
const CUE_TAIL =
  /^(?:la|ya|ni|is|on|of|to|in|card|it|the|kwenye|kadi|hiyo|hilo|mwisho|last|lake|lililopo|lilikuwa|mbele|kwanza|kamili|full|wa|name|jina|mwenye|mwenyewe|anaitwa|limeandikwa|lililoandikwa|limeandikwa|said|says|cheti|owner|inside|juu|za|cha|hicho|kitambulisho|document|kwa)$/;
const KINSHIP = /^(?:marehemu|late|binti|hayati)$/;
/** Places and makes are often named after people, so a word with these meanings may still be a person's name. */
const PROPER_KINDS = KIND_BITS.place | KIND_BITS.brand | KIND_BITS.series;
/** Words that are followed by the name of an institution: "Shule ya Feza Girls" is a school, not a person. */
const INSTITUTIONS =
  /^(?:shule|sekondari|msingi|chuo|kikuu|kanisa|msikiti|hospitali|mtaa|soko|kampuni|benki|stendi|kituo|uwanja|university|college|school|church|bank|company|street|hotel|hoteli|duka|kijiji|wilaya|mkoa|parokia|city|town|republic|picha|sticker|logo|nembo|stika)$/;
const JOINERS = /^(?:na|and)$/;

function isTitle(word: string): boolean {
  const senses = getLexicon().phrases.next?.get(word)?.senses ?? [];
  return KINSHIP.test(word) || senses.some((sense) => sense.kind === 'word' && sense.id === 'title');
}

/**
 * Reads the form's fields for the owner's name. A finder who does not know the owner may have entered their own name.
 */
export function readOwnerFields(first: string, last: string, postedBy: 'owner' | 'finder'): Person | null {
  const names = tokenise(`${first} ${last}`)
    .map((token) => withoutFigures(token.text))
    .filter((name) => !/\d/.test(name) && !isTitle(name) && !isConnective(name) && !isCalling(name));
  // Some finders enter where they keep the thing, or an occupation, instead of a name: "sheli" (petrol station), "turn
  // boy".
  if (postedBy === 'finder' && names.every(isOrdinary)) return null;
  return names.length > 0 ? { names: [...new Set(names)], certainty: postedBy === 'owner' ? 'said' : 'given' } : null;
}

/** Whether the word is an occupation: "mlinzi" (guard), "nesi" (nurse). */
function isCalling(name: string): boolean {
  const { concepts, names, phrases } = getLexicon();
  if (names.has(name)) return false;
  const senses = phrases.next?.get(name)?.senses ?? [];
  return senses.some(({ kind, id }) => kind === 'concept' && concepts.get(id)?.class === 'person');
}

/** Returns the people named in a text and the positions of their names' tokens. */
export function readNames(tokens: Token[]): { persons: Person[]; taken: Set<number> } {
  const persons: Person[] = [];
  const taken = new Set<number>();
  for (let at = 0; at < tokens.length; at += 1) {
    if (taken.has(at)) continue;
    const after = cueEnd(tokens, at);
    if (after !== null) at = takeSaid(tokens, after, persons, taken) - 1;
    else takeSeen(tokens, at, persons, taken);
  }
  return { persons, taken };
}

/** Marks the owner's name in the text as a name, so that Issa Kondo is not read as a sheep (kondoo). */
export function takeOwner(tokens: Token[], names: string[], taken: Set<number>): void {
  const { vocabulary } = getLexicon();
  const isName = (at: number): boolean => names.includes(tokens[at]?.text ?? '');
  for (const [at, token] of tokens.entries()) {
    if (!isName(at)) continue;
    const isBeside = (isName(at - 1) && token.gap === '') || (isName(at + 1) && tokens[at + 1]?.gap === '');
    if (isBeside || !vocabulary.has(token.text)) taken.add(at);
  }
}

function cueEnd(tokens: Token[], at: number): number | null {
  const word = tokens[at]?.text ?? '';
  const pair = `${word} ${tokens[at + 1]?.text ?? ''}`;
  let end = CUE_PAIRS.test(pair) ? at + 2 : CUES.test(word) ? at + 1 : null;
  if (end === null) return null;
  for (let skip = 0; skip < CUE_REACH; skip += 1) if (tokens[end + skip]?.gap.includes(':')) return end + skip;
  while (end < tokens.length && isFiller(tokens[end])) end += 1;
  return end;
}

function isFiller(token: Token | undefined): boolean {
  return token !== undefined && (CUE_TAIL.test(token.text) || isSilent(token.text) || isTitle(token.text));
}

function takeSaid(tokens: Token[], start: number, persons: Person[], taken: Set<number>): number {
  let at = start;
  while (at < tokens.length) {
    const end = nameEnd(tokens, at, true);
    if (end === at) break;
    addPerson(tokens, at, end, 'said', persons, taken);
    if (!JOINERS.test(tokens[end]?.text ?? '')) return Math.max(end, start);
    at = end + 1;
  }
  return Math.max(at, start);
}

/**
 * Finds names that have no cue before them: two or more in a row, one of them well known, or one well-known name after
 * "ya", "cha" or "of". A cue is a word such as "jina" (name).
 */
function takeSeen(tokens: Token[], at: number, persons: Person[], taken: Set<number>): void {
  const end = nameEnd(tokens, at, false);
  if (end === at) return;
  const known = tokens.slice(at, end).filter((token) => isKnownName(token.text)).length;
  const previous = tokens[at - 1]?.text ?? '';
  const isAlone = end - at === 1;
  if (isAlone && takeCouple(tokens, at, persons, taken)) return;
  if (isAlone && isNameAlone(tokens, at)) addPerson(tokens, at, end, 'seen', persons, taken);
  if (taken.has(at)) return;
  const isOwned = /^(?:ya|cha|la|wa|za|vya|of|for)$/.test(previous) || isTitle(previous);
  const isOwnedPair = isOwned && !isAlone && !INSTITUTIONS.test(tokens[at - 2]?.text ?? '');
  if ((known === 0 && !isOwnedPair) || (isAlone && !isOwned)) return;
  if (isAlone && isOrdinary(tokens[at]?.text ?? '')) return;
  addPerson(tokens, at, end, isOwned && !isAlone ? 'said' : 'seen', persons, taken);
  if (JOINERS.test(tokens[end]?.text ?? '')) {
    const second = nameEnd(tokens, end + 1, false);
    if (second > end + 1) addPerson(tokens, end + 1, second, 'seen', persons, taken);
  }
}

/**
 * Whether a single word is a name, such as Aisha in "Aisha F4" on a lid. The name must be well known, capitalised but
 * not all in capitals, and not also another word of the lexicon, such as a place.
 */
function isNameAlone(tokens: Token[], at: number): boolean {
  const token = tokens[at];
  if (token === undefined || !token.isCapital || INSTITUTIONS.test(tokens[at - 1]?.text ?? '')) return false;
  return isKnownName(token.text) && !getLexicon().vocabulary.has(token.text) && token.raw !== token.raw.toUpperCase();
}

/** Reads two first names joined by "and" as the names of a couple, as on a marriage certificate: "Peter na Esther". */
function takeCouple(tokens: Token[], at: number, persons: Person[], taken: Set<number>): boolean {
  const [first, joiner, second] = [tokens[at], tokens[at + 1], tokens[at + 2]];
  if (first === undefined || second === undefined || !JOINERS.test(joiner?.text ?? '')) return false;
  if (second.gap !== '' || joiner?.gap !== '' || !isKnownName(first.text) || !isKnownName(second.text)) return false;
  if (isOrdinary(first.text) || isOrdinary(second.text)) return false;
  addPerson(tokens, at, at + 1, 'said', persons, taken);
  addPerson(tokens, at + 2, Math.max(at + 3, nameEnd(tokens, at + 2, false)), 'said', persons, taken);
  return true;
}

function addPerson(
  tokens: Token[],
  start: number,
  end: number,
  certainty: Person['certainty'],
  persons: Person[],
  taken: Set<number>,
): void {
  const names: string[] = [];
  for (let at = start; at < end; at += 1) {
    taken.add(at);
    const name = tokens[at]?.text ?? '';
    if (!isTitle(name)) names.push(name);
  }
  if (names.length > 0) persons.push({ names: [...new Set(names)], certainty });
}

/**
 * Returns the end of a run of names. An unknown word in lower case is taken for a name only after a cue (such as
 * "jina") or after another name.
 */
function nameEnd(tokens: Token[], start: number, afterCue: boolean): number {
  let end = start;
  while (end < tokens.length && end - start < LONGEST_NAME) {
    const token = tokens[end];
    if (token === undefined || isPronoun(tokens, end) || !isNameLike(token, afterCue || end > start)) break;
    if (end > start && token.gap !== '' && !(token.gap === '.' && (tokens[end - 1]?.text.length ?? 0) === 1)) break;
    end += 1;
  }
  return end;
}

/** Whether the token is the pronoun "I", as in "I sewed". An "I" with a dot after it is an initial. */
function isPronoun(tokens: Token[], at: number): boolean {
  return tokens[at]?.text === 'i' && !tokens[at + 1]?.gap.startsWith('.');
}

function isNameLike(token: Token, mayBeUnknown: boolean): boolean {
  if (/\d/.test(token.text) || isTitle(token.text) || isFirmWord(token.text)) return false;
  if (token.text.length > LONGEST_WITHOUT_VOWEL && !/[aeiouy]/.test(token.text)) return false;
  if (isKnownName(token.text)) return token.isCapital || !isOrdinary(token.text) || mayBeUnknown;
  const isInitial = token.text.length === 1;
  if (isInitial || isOrdinary(token.text)) return isInitial && token.isCapital;
  return token.isCapital
    ? true
    : mayBeUnknown && !/^(?:ha|hai|hali|haku|sija|ime|lime|kime|zime|ame|iko|liko)/.test(token.text);
}

function isKnownName(word: string): boolean {
  return getLexicon().names.has(word);
}

function isOrdinary(word: string): boolean {
  const { vocabulary } = getLexicon();
  // Does not read a known name as an inflected word: "Shabani" is a name, not the locative of shaba (copper).
  const forms = isKnownName(word) ? [word] : knownForms(word);
  return forms.some((form) => {
    const kinds = vocabulary.get(form);
    if (kinds === undefined) return false;
    return (kinds & ~PROPER_KINDS) !== 0 || (form === word && !isKnownName(word));
  });
}

const SWAHILI_KEYWORD =
  /^(?:shule|sekondari|msingi|chuo|kikuu|kampuni|duka|famasi|zahanati|hospitali|kijiji|kata|hoteli|saluni|parokia|usharika)$/;
const ENGLISH_KEYWORD =
  /^(?:school|secondary|primary|academy|college|university|institute|seminary|ltd|limited|hardware|pharmacy|stationery|electronics|traders|enterprises|supermarket|security|saccos|vicoba|hotel|lodge|dispensary|hospital|parish|salon)$/;

/**
 * Begins the name of an institution: "St Mary's" is a school, a parish or a hospital. Which of these does not matter.
 */
const SAINT = /^(?:st|saint)$/;
/** The fewest letters of a name beside a word such as "school". */
const SHORTEST_NAME = 3;

/** Whether the word is the last part of a firm's name, as in "Mkombozi Hardware", and so is not a surname. */
function isFirmWord(word: string): boolean {
  return ENGLISH_KEYWORD.test(word);
}

/** Returns the institutions that issued a card: ids of known ones, or names beside "shule ya" or "secondary". */
export function readIssuers(tokens: Token[], named: PlaceMention[]): string[] {
  const { places } = getLexicon();
  const known = named.flat().filter((id) => places.get(id)?.isInstitution);
  if (known.length > 0) return known;
  return tokens.flatMap((token, at) => {
    if (SAINT.test(token.text) && token.isCapital) return nameOfSaint(tokens[at + 1]);
    if (SWAHILI_KEYWORD.test(token.text)) return nameFrom(tokens, at + 1, 1);
    return ENGLISH_KEYWORD.test(token.text) ? nameFrom(tokens, at - 1, -1) : [];
  });
}

function nameOfSaint(token: Token | undefined): string[] {
  const isNamed = token?.isCapital && ['', '.'].includes(token.gap) && token.text.length >= SHORTEST_NAME;
  return isNamed ? [token.text] : [];
}

function nameFrom(tokens: Token[], start: number, step: 1 | -1): string[] {
  let at = start;
  while (isConnective(tokens[at]?.text ?? '')) at += step;
  const token = tokens[at];
  const isSplit = step === 1 ? token?.gap !== '' : tokens[at + 1]?.gap !== '';
  if (token === undefined || isSplit || !token.isCapital || token.text.length < SHORTEST_NAME) return [];
  return isFirmWord(token.text) || isOrdinaryInIssuer(token.text) ? [] : [token.text];
}

/** Whether the word is too common for a firm's name. Firms may have the name of a person, place or make: Baraka. */
function isOrdinaryInIssuer(word: string): boolean {
  const { names, vocabulary } = getLexicon();
  const kinds = names.has(word) ? 0 : (vocabulary.get(word) ?? 0);
  return (kinds & ~(KIND_BITS.place | KIND_BITS.brand | KIND_BITS.series)) !== 0 || SWAHILI_KEYWORD.test(word);
}
