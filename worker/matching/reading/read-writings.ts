import { getLexicon } from '#worker/matching/lexicon/lexicon.ts';
import { isConnective, isSilent, type Token, tokenise } from '#worker/matching/words/tokens.ts';
import { knownForms } from './annotate.ts';
import type { Element } from './item-mention.ts';

/** Cues: the words after "imeandikwa", "maandishi", "writing" or "reads" are written on the thing. */
const CUE =
  /^(?:(?:i|li|ki|zi|u|vi|ya|a|ka|wa)(?:me|na|li)?(?:andikwa|someka)|ni(?:me|li)andika|neno|marked|labell?ed|(?:i|li|ki|zi|u|ya)(?:li)yo?andikwa|lililoandikwa|maandishi|maneno|writing|written|wrote|reads|saying|says|printed|inscription|engraved|stamped|stencilled|painted|signed|umesainiwa|imesainiwa|limechomewa|slogan|caption)$/;
/** Cues that may also come after the quoted text: "BABU G written". */
const WRITTEN = /^(?:written|printed|engraved|painted|stamped|stencilled|marked|labell?ed)$/;
/** Cues that may also precede a colour ("painted red"). After them, only capitalised words are text on the thing. */
const MAKING = /^(?:painted|printed|signed)$/;
/**
 * Words that introduce how or where a text is written: "limeandikwa kwa makaa" (with charcoal), "written on the metal".
 */
const HOW = /^(?:kwa|on|in|at|kwenye|katika)$/;
/** Words that describe a text and do not quote it: "Writing inside, two names and a date". */
const KINDS_OF_WRITING =
  /^(?:names?|jina|majina|dates?|tarehe|letters|herufi|numbers?|namba|phone|simu|words|english|kizungu)$/;
/** Words for where something is written. */
const WHERE =
  /^(?:underneath|behind|inside|outside|below|above|back|front|sides?|both|top|bottom|belly|nyuma|mbele|chini|juu|ndani|nje|ubavuni|pembeni|upande)$/;
const NAME_CUE =
  /^(?:jina|majina|names?|named|lebo|label|tag|tegi|stika|sticker|kibandiko|nembo|logo|bango|brand|alama)$/;
const WRITING_END = /[.,;!?\n|]/;
const LONGEST_WRITING = 8;
/**
 * Up to this many words may be between a cue and the quoted text in capitals: "kwa peni" (with a pen) in
 * "limeandikwa kwa peni NEEMA".
 */
const MOST_LEADING = 2;
const SHORTEST_WORD = 3;
/** The most letters of an abbreviation such as MT., whose dot does not end the sentence. */
const LONGEST_ABBREVIATION = 3;

/** If more than this share of the words is in capitals, the writer uses capitals everywhere, and they mean nothing. */
const MOST_LARGE = 0.5;
const LARGE = /^\p{Lu}{2,}$/u;
/**
 * The fewest letters of a single word in capitals that counts as writing on the thing. NI ("is") alone is too short,
 * but NI is part of the writing MAMA NI NGUZO.
 */
const SHORTEST_ALONE = 3;
const QUOTED = /["“”«»]([^"“”«»]{3,60})["“”«»]|(?<![\p{L}\d])['‘]([^'‘’\n]{3,60})['’](?![\p{L}\d])/gu;

/** Returns the words that are written on the thing, according to the post, or that are in quotation marks. */
export function readWritings(text: string, tokens: Token[]): string[] {
  const quoted = [...text.matchAll(QUOTED)].flatMap(([, words, single]) => tokenise(words ?? single ?? ''));
  const copied = [...quoted, ...afterCue(tokens), ...writtenLarge(tokens)];
  const telling = copied.filter((token) => isDistinctive(token, tokens));
  const isTold = telling.some(({ raw }) => KINDS_OF_WRITING.test(raw));
  const said = isTold ? telling.filter(({ raw }) => /^\p{Lu}/u.test(raw)) : telling;
  const [only] = said;
  // A single known word in lower case, as in "Marker writing small", describes the writing and does not quote it.
  if (only !== undefined && said.length === 1 && /^\p{Ll}/u.test(only.raw) && isKnown(only.text)) return [];
  return [...new Set(said.map(({ text: word }) => word))];
}

/**
 * Returns the words in capitals, which the writer has copied from the thing: "stencilled MV CHAKE", "stika ya STRABAG".
 * Returns none if most of the text is in capitals.
 */
function writtenLarge(tokens: Token[]): Token[] {
  if (isShouted(tokens)) return [];
  const isBeside = (at: number): boolean => LARGE.test(tokens[at]?.raw ?? '');
  return tokens.filter(
    ({ raw, text, gap }, at) =>
      LARGE.test(raw) &&
      ((isJoined(gap) && isBeside(at - 1)) ||
        (isJoined(tokens[at + 1]?.gap) && isBeside(at + 1)) ||
        isNamed(tokens, at) ||
        (text.length >= SHORTEST_ALONE && !isKnown(text))),
  );
}

function isShouted(tokens: Token[]): boolean {
  const words = tokens.filter(({ raw }) => /\p{L}/u.test(raw));
  return words.filter(({ raw }) => LARGE.test(raw)).length > MOST_LARGE * words.length;
}

/** Whether two words with this gap between them belong to one text: "MT. THERESIA", "TUMAINI-LETU". */
function isJoined(gap: string | undefined): boolean {
  return gap === '' || gap === '.' || gap === '-';
}

/**
 * Whether the word follows a word such as "jina" (name), as in "Jina BABU G". Such a word is written on the thing, even
 * if the lexicon contains the word.
 */
function isNamed(tokens: Token[], at: number): boolean {
  const before = isConnective(tokens[at - 1]?.text ?? '') ? tokens[at - 2] : tokens[at - 1];
  return before !== undefined && NAME_CUE.test(before.text);
}

function isKnown(word: string): boolean {
  return knownForms(word).length > 0;
}

/** Whether the word may be text on the thing. CHAKE in capitals is a town; in lower case, "chake" only means "its". */
function isDistinctive({ text, raw }: Token, tokens: Token[]): boolean {
  if (text.length < SHORTEST_WORD || !/\p{L}/u.test(text) || CUE.test(text)) return false;
  if (WHERE.test(text)) return LARGE.test(raw) && !isShouted(tokens);
  return !isSilent(text) || (LARGE.test(raw) && !isShouted(tokens));
}

function afterCue(tokens: Token[]): Token[] {
  const at = tokens.findIndex((token) => CUE.test(token.text));
  if (at < 0) return [];
  const isEnding = tokens[at + 1] === undefined || WRITING_END.test(tokens[at + 1]?.gap ?? '');
  if (isEnding) return isWritten(tokens[at]) ? beforeCue(tokens, at) : [];
  const before = tokens[at - 1];
  const copied = before !== undefined && isLarge(before) && tokens.some((token) => !isLarge(token)) ? [before] : [];
  const following = copiedOf(tokens, at + 1);
  const isMade =
    MAKING.test(tokens[at]?.text ?? '') ||
    HOW.test(tokens[at + 1]?.text ?? '') ||
    following.slice(0, MOST_LEADING).some(isWith);
  return [...copied, ...(isMade && !isShouted(tokens) ? following.filter(({ isCapital }) => isCapital) : following)];
}

/** Whether the word is "with": "engraved inside with a woman's name" describes the writing and does not quote it. */
function isWith({ text }: Token): boolean {
  return text === 'with';
}

/** Returns the capitalised words directly before a cue such as "written": Bolt in "Bolt written. ITV stop". */
function beforeCue(tokens: Token[], at: number): Token[] {
  let start = at;
  while (start > 0 && tokens[start - 1]?.isCapital && !WRITING_END.test(tokens[start]?.gap ?? '')) start -= 1;
  return tokens.slice(start, at);
}

/**
 * Returns the words after a word such as "written", up to the end of the sentence. If words in capitals follow soon,
 * returns only these: NEEMA in "ndani NEEMA na tarehe".
 */
function copiedOf(tokens: Token[], start: number): Token[] {
  const end = tokens.findIndex((_token, index) => index > start && isEnd(tokens, index));
  const following = tokens.slice(start, end < 0 ? undefined : end).slice(0, LONGEST_WRITING);
  const first = following.findIndex((token) => isLarge(token) && /\p{Lu}/u.test(token.raw));
  const isLed = first <= MOST_LEADING && !following.slice(0, first).some(({ isCapital }) => isCapital);
  if (first < 0 || (first > 0 && (!isLed || isShouted(tokens)))) return following;
  const copied = following.slice(first);
  const last = copied.findIndex((token) => !isLarge(token) && !(first > 0 && token.isCapital));
  return copied.slice(0, last < 0 ? undefined : last);
}

/** Whether a sentence ends before the token. The dot of an abbreviation does not end it: "JUMUIYA MT. RITA". */
function isEnd(tokens: Token[], at: number): boolean {
  const [before, token] = [tokens[at - 1], tokens[at]];
  if (before === undefined || token === undefined || !WRITING_END.test(token.gap)) return false;
  return !(token.gap.trim() === '.' && before.raw.length <= LONGEST_ABBREVIATION && isLarge(before) && isLarge(token));
}

function isWritten(token: Token | undefined): boolean {
  return WRITTEN.test(token?.text ?? '');
}

/** Whether the word is in capitals. Digits among capitals, as in A12, count as capitals. */
function isLarge({ raw }: Token): boolean {
  return LARGE.test(raw) || /^[\p{Lu}\d]+$/u.test(raw);
}

/** The word after "chapa", "brand" or "make" is a make, even if it is in no word list. */
const MAKER_CUE = /^(?:chapa|brand|make|kampuni)$/;
/** The fewest letters of a make that is in no word list. */
const SHORTEST_MAKE = 3;

/**
 * Returns unknown words that are probably makes: words after "brand" and the like, or capitalised words next to the
 * word for the thing ("friji ya Mobisol", "Sumry bus"). Two such names that differ are different makes.
 */
export function readMakers(tokens: Token[], elements: Element[]): string[] {
  const cued = tokens.flatMap((token, at) => (MAKER_CUE.test(token.text) ? makeAt(tokens, at + 1, false) : []));
  const beside = elements.flatMap((element) => {
    if (element.item?.role !== 'head') return [];
    return [...makeAt(tokens, element.end, true), ...makeBefore(tokens, element.start)];
  });
  return [...new Set([...cued, ...beside])];
}

function makeBefore(tokens: Token[], start: number): string[] {
  return start > 0 && tokens[start]?.gap === '' ? makeAt(tokens, start - 1, true) : [];
}

function makeAt(tokens: Token[], start: number, mustBeCapital: boolean): string[] {
  let at = start;
  while (/^(?:ya|la|cha|za|wa|ni|is|aina|of|the)$/.test(tokens[at]?.text ?? '') || isSilent(tokens[at]?.text ?? ''))
    at += 1;
  const token = tokens[at];
  if (token === undefined || (at > start && token.gap !== '') || !isUnknownName(token)) return [];
  return mustBeCapital && !isWrittenAsName(tokens, at) ? [] : [token.text];
}

function isUnknownName({ text }: Token): boolean {
  return (
    text.length >= SHORTEST_MAKE && !/\d/.test(text) && knownForms(text).length === 0 && !getLexicon().names.has(text)
  );
}

/** Whether the word is written as a name. Capitals that open a sentence or fill the whole text do not count. */
function isWrittenAsName(tokens: Token[], at: number): boolean {
  const token = tokens[at];
  if (token === undefined || !token.isCapital || at === 0 || /[.!?\n]/.test(token.gap)) return false;
  return tokens.some((other) => !other.isCapital && /\p{L}/u.test(other.raw));
}

const CODE = /^(?=.*\d)(?=.*[a-z])[a-z\d]{2,}$/;
const ABBREVIATION = /^\p{Lu}{3,}$/u;
/** If a larger part of the words is in capitals, the writer uses capitals for everything, and capitals mean nothing. */
const MOST_LARGE_LETTERS = 0.5;
/** A text with fewer words is too short to show that the writer uses capitals for everything. */
const SHORTEST_SHOUT = 4;

/** Returns words whose spelling makes them rare: model codes, abbreviations, names of firms and people. */
export function readMarks(tokens: Token[]): string[] {
  const large = tokens.filter((token) => token.isCapital).length;
  const isShouted = large > MOST_LARGE_LETTERS * tokens.length && tokens.length >= SHORTEST_SHOUT;
  return tokens.flatMap((token, at) => {
    if (CODE.test(token.text)) return [token.text];
    if (isShouted || knownForms(token.text).length > 0) return [];
    const isInside = at > 0 && !/[.!?\n]/.test(token.gap);
    return ABBREVIATION.test(token.raw) || (isInside && token.isCapital) ? [token.text] : [];
  });
}
