import { getLexicon } from '#worker/matching/lexicon/lexicon.ts';
import { isConnective, isSilent, type Token, tokenise } from '#worker/matching/words/tokens.ts';
import { knownForms } from './annotate.ts';
import type { Element } from './item-mention.ts';

/** "Imeandikwa", "maandishi", "writing", "reads": what follows stands on the thing itself. */
const CUE =
  /^(?:(?:i|li|ki|zi|u|vi|ya|a|ka|wa)(?:me|na|li)?(?:andikwa|someka)|ni(?:me|li)andika|neno|marked|labell?ed|(?:i|li|ki|zi|u|ya)(?:li)yo?andikwa|lililoandikwa|maandishi|maneno|writing|written|wrote|reads|saying|says|printed|inscription|engraved|stamped|stencilled|painted|signed|umesainiwa|imesainiwa|limechomewa|slogan|caption)$/;
/** These may close what they speak of. */
const WRITTEN = /^(?:written|printed|engraved|painted|stamped|stencilled|marked|labell?ed)$/;
/** A colour, a flower, an officer may follow these as well: only what stands large, or is a name, is copied. */
const MAKING = /^(?:painted|printed|signed)$/;
/** "Limeandikwa kwa makaa", "written on the metal": with what, and where. */
const HOW = /^(?:kwa|on|in|at|kwenye|katika)$/;
/** "Writing inside, two names and a date": what it is, and not what it says. */
const KINDS_OF_WRITING =
  /^(?:names?|jina|majina|dates?|tarehe|letters|herufi|numbers?|namba|phone|simu|words|english|kizungu)$/;
/** Where it is written. */
const WHERE =
  /^(?:underneath|behind|inside|outside|below|above|back|front|sides?|both|top|bottom|belly|nyuma|mbele|chini|juu|ndani|nje|ubavuni|pembeni|upande)$/;
const NAME_CUE =
  /^(?:jina|majina|names?|named|lebo|label|tag|tegi|stika|sticker|kibandiko|nembo|logo|bango|brand|alama)$/;
const WRITING_END = /[.,;!?\n|]/;
const LONGEST_WRITING = 8;
/** Words between the cue and what stands large: "ndani kwa peni". */
const MOST_LEADING = 2;
const SHORTEST_WORD = 3;
/** Letters. */
const LONGEST_ABBREVIATION = 3;

/** Somebody who writes everything large copies nothing by it. */
const MOST_LARGE = 0.5;
const LARGE = /^\p{Lu}{2,}$/u;
/** Letters: NI alone is no writing, MAMA NI NGUZO is. */
const SHORTEST_ALONE = 3;
const QUOTED = /["“”«»]([^"“”«»]{3,60})["“”«»]|(?<![\p{L}\d])['‘]([^'‘’\n]{3,60})['’](?![\p{L}\d])/gu;

/** The words that the post says are written on the thing, or quotes; empty when it does neither. */
export function readWritings(text: string, tokens: Token[]): string[] {
  const quoted = [...text.matchAll(QUOTED)].flatMap(([, words, single]) => tokenise(words ?? single ?? ''));
  const copied = [...quoted, ...afterCue(tokens), ...writtenLarge(tokens)];
  const telling = copied.filter((token) => isDistinctive(token, tokens));
  const isTold = telling.some(({ raw }) => KINDS_OF_WRITING.test(raw));
  const said = isTold ? telling.filter(({ raw }) => /^\p{Lu}/u.test(raw)) : telling;
  const [only] = said;
  // "Marker writing small"
  if (only !== undefined && said.length === 1 && /^\p{Ll}/u.test(only.raw) && isKnown(only.text)) return [];
  return [...new Set(said.map(({ text: word }) => word))];
}

/** "Stencilled MV CHAKE", "stika ya STRABAG": in a text of small letters what is copied off the thing stands large. */
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

/** "MT. THERESIA", "TUMAINI-LETU". */
function isJoined(gap: string | undefined): boolean {
  return gap === '' || gap === '.' || gap === '-';
}

/** "Jina BABU G": whatever the word means elsewhere. */
function isNamed(tokens: Token[], at: number): boolean {
  const before = isConnective(tokens[at - 1]?.text ?? '') ? tokens[at - 2] : tokens[at - 1];
  return before !== undefined && NAME_CUE.test(before.text);
}

function isKnown(word: string): boolean {
  return knownForms(word).length > 0;
}

/** CHAKE is a town's name and "chake" is "its": what stands large among small letters is read as it stands. */
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

/** "Engraved inside with a woman's name" tells what it is, and not what it says. */
function isWith({ text }: Token): boolean {
  return text === 'with';
}

/** "Bolt written. ITV stop": of what stands before the cue the names, which end where the sentence begins. */
function beforeCue(tokens: Token[], at: number): Token[] {
  let start = at;
  while (start > 0 && tokens[start - 1]?.isCapital && !WRITING_END.test(tokens[start]?.gap ?? '')) start -= 1;
  return tokens.slice(start, at);
}

/** To the end of the sentence; but "ndani NEEMA na tarehe ya mwezi": among small letters what stands large is copied. */
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

/** "JUMUIYA MT. RITA" goes on after its abbreviation. */
function isEnd(tokens: Token[], at: number): boolean {
  const [before, token] = [tokens[at - 1], tokens[at]];
  if (before === undefined || token === undefined || !WRITING_END.test(token.gap)) return false;
  return !(token.gap.trim() === '.' && before.raw.length <= LONGEST_ABBREVIATION && isLarge(before) && isLarge(token));
}

function isWritten(token: Token | undefined): boolean {
  return WRITTEN.test(token?.text ?? '');
}

/** Figures go with what stands large beside them. */
function isLarge({ raw }: Token): boolean {
  return LARGE.test(raw) || /^[\p{Lu}\d]+$/u.test(raw);
}

/** "Aina ya", "chapa", "brand": the word that follows is a make, whether a list knows it or not. */
const MAKER_CUE = /^(?:chapa|brand|make|kampuni)$/;
/** Letters. */
const SHORTEST_MAKE = 3;

/**
 * Words that stand where a make is due and that no list knows: after a cue, or written large beside the thing itself
 * ("friji ya Mobisol", "Sumry bus"). Two such names that are not alike are different makes.
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

/** A capital that only opens a sentence says nothing, nor does one where everything is written large. */
function isWrittenAsName(tokens: Token[], at: number): boolean {
  const token = tokens[at];
  if (token === undefined || !token.isCapital || at === 0 || /[.!?\n]/.test(token.gap)) return false;
  return tokens.some((other) => !other.isCapital && /\p{L}/u.test(other.raw));
}

const CODE = /^(?=.*\d)(?=.*[a-z])[a-z\d]{2,}$/;
const ABBREVIATION = /^\p{Lu}{3,}$/u;
/** Somebody who writes everything large marks nothing by it. */
const MOST_LARGE_LETTERS = 0.5;
/** Words: of fewer it cannot be told whether somebody shouts. */
const SHORTEST_SHOUT = 4;

/** Words that are rare by the way they are written: model codes, abbreviations, names of firms and people. */
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
