import { getLexicon } from '#worker/matching/lexicon/lexicon.ts';
import { type ConceptClass, KIND_BITS } from '#worker/matching/lexicon/lexicon-types.ts';
import { isConnective, isSilent, type Token } from '#worker/matching/words/tokens.ts';
import { type Element, type ItemMention, newItem } from './item-mention.ts';
import { type Detail, detailOf } from './read-details.ts';

/** A detail on the thing (a stone, a tag), with the colours, qualities and count that describe the detail alone. */
export type Feature = Pick<ItemMention, 'colours' | 'attributes' | 'count'> & {
  keys: Detail;
  isThing: boolean;
  /** Names next to the feature: "sticker of NBS", "tag says Tumaini". */
  names: string[];
};

/**
 * A colour after a participle, as in "painted green", describes the lost thing itself and not the feature before the
 * participle.
 */
const PARTICIPLE = /ed$/;
const BORNE: readonly ConceptClass[] = ['body', 'mark'];

/**
 * Marks words for hair, stones, buttons and the like. These are never lost alone, but a colour next to such a word
 * describes the hair or stone, not the lost thing.
 */
export function markFeatures(elements: Element[]): void {
  for (const element of elements) {
    if (element.item === null && isFeature(element)) element.feature = newItem([], 'part');
  }
}

function isFeature({ senses }: Element): boolean {
  const { attributes, concepts } = getLexicon();
  if (senses.some(({ kind }) => kind === 'word' || kind === 'colour' || kind === 'number')) return false;
  return senses.some(
    ({ kind, id }) =>
      (kind === 'attribute' && attributes.get(id)?.group === 'part') ||
      (kind === 'concept' && BORNE.includes(concepts.get(id)?.class ?? 'other') && !PARTICIPLE.test(id)),
  );
}

export function readFeatures(tokens: Token[], elements: Element[]): Feature[] {
  return elements.flatMap((element) => {
    const { senses, item, feature } = element;
    const mention = feature ?? (item?.role === 'part' || item?.role === 'loose' ? item : null);
    if (mention === null) return [];
    const { colours, attributes, count } = mention;
    const names = namesBeside(tokens, element);
    if (colours.size + attributes.size + names.length === 0 && count === null) return [];
    return [{ keys: detailOf(senses), isThing: feature === null, colours, attributes, count, names }];
  });
}

/** Words between a tag and the name on it: "tag ina jina", "sticker says". */
const FILLER =
  /^(?:ni|is|ina|lina|kina|says|saying|reads|jina|name|imeandikwa|limeandikwa|kimeandikwa|written|with|yenye|lenye|chenye)$/;
const MOST_FILLERS = 3;
/** The most words in a name on a feature. */
const LONGEST_NAME = 4;
/** The fewest letters of each word in a name on a feature. */
const SHORTEST_NAME = 3;
const PROPER_KINDS = KIND_BITS.place | KIND_BITS.brand | KIND_BITS.series;

/** Returns a feature's names: "kamba ya Chelsea", "staff cards of Barrick", "tag says Tumaini", "NBS sticker". */
function namesBeside(tokens: Token[], { start, end }: Element): string[] {
  let after = end;
  while (after < tokens.length && after - end < MOST_FILLERS && isJoined(tokens, after) && isFiller(tokens[after]))
    after += 1;
  const names = run(tokens, after, 1);
  return names.length > 0 ? names : tokens[start]?.gap === '' ? run(tokens, start - 1, -1) : [];
}

function run(tokens: Token[], from: number, step: 1 | -1): string[] {
  const names: string[] = [];
  for (let at = from; Math.abs(at - from) < LONGEST_NAME; at += step) {
    const token = tokens[at];
    if (token === undefined || !isName(tokens, at)) break;
    if (step === 1 && at > 0 && !isJoined(tokens, at)) break;
    names.push(token.text);
    if (step === -1 && token.gap !== '') break;
  }
  return names.filter((name) => name.length >= SHORTEST_NAME);
}

/** Whether a name belongs to the word before it: quotes and a colon may be in between, a comma may not. */
function isJoined(tokens: Token[], at: number): boolean {
  return !/[.,;!?()|\n]/.test(tokens[at]?.gap ?? '');
}

function isFiller(token: Token | undefined): boolean {
  return token !== undefined && (FILLER.test(token.text) || isConnective(token.text) || isSilent(token.text));
}

/**
 * Whether the word is written as a name, with a capital. A capital at the start of a sentence does not count, and
 * capitals do not count if all words of the text have them. A brand needs no capital.
 */
function isName(tokens: Token[], at: number): boolean {
  const token = tokens[at];
  if (token === undefined || !/^\p{L}+$/u.test(token.text)) return false;
  const { names, vocabulary } = getLexicon();
  const kinds = vocabulary.get(token.text) ?? 0;
  const isBrand = kinds !== 0 && (kinds & ~PROPER_KINDS) === 0 && (kinds & KIND_BITS.brand) !== 0;
  if (!isBrand && (!token.isCapital || at === 0 || /[.!?\n]/.test(token.gap))) return false;
  if (!isBrand && tokens.every((other) => other.isCapital || !/\p{L}/u.test(other.raw))) return false;
  return kinds === 0 || names.has(token.text) || (kinds & PROPER_KINDS) !== 0;
}
