import type { Sense, SenseKind } from '#worker/matching/lexicon/lexicon-types.ts';
import { isConnective, isSilent } from '#worker/matching/words/phrase-tokens.ts';
import type { Token } from '#worker/matching/words/tokenise.ts';
import type { Element, ItemMention } from './item-mention.ts';
import { sensesOf } from './item-mention.ts';
import { deniedElements, isOneOfSeveral } from './read-denied.ts';
import { meaningsOf } from './word-alternatives.ts';

/**
 * One thing that the post says beyond what it is about, each by the meanings that its words may have: `thing strap`,
 * `attribute cracked`, `colour red`, `concept g:knot`, `word mchimbo`, `number 26`.
 */
export type Detail = string[];

const TELLING: readonly SenseKind[] = ['thing', 'attribute', 'colour', 'brand', 'concept'];
/** Letters. */
const SHORTEST_WORD = 3;

/**
 * Everything that a field says of the thing, in its order; what names the thing itself is left out.
 * @param isNamed false for a title whose unknown words must be what names it.
 */
export function readDetails(tokens: Token[], elements: Element[], heads: ItemMention[], isNamed = true): Detail[] {
  const own = new Set(heads.flatMap((head) => head.ids));
  const denied = deniedElements(tokens, elements);
  return elements.flatMap((element) => {
    if (element.senses.some(({ kind, id }) => kind === 'thing' && own.has(id)) || denied.has(element)) return [];
    const count = Number(sensesOf(element, 'number')[0] ?? 0);
    if (count > 1) return [[`number ${count}`]];
    if (element.senses.length === 0) return isNamed ? unknownDetail(tokens[element.start]?.text ?? '') : [];
    const said = detailOf(element.senses);
    const words = element.end - element.start > 1 ? wordsOf(tokens.slice(element.start, element.end)) : [];
    const [first = [], ...others] = words;
    return [[...said, ...first], ...others].filter((detail) => detail.length > 0);
  });
}

/** Stands among what is denied where only one of several is. */
export const ONE_OF_SEVERAL = 'one of several';

/** What it is said not to have. */
export function readDenied(tokens: Token[], elements: Element[]): Detail[] {
  return [...deniedElements(tokens, elements)].flatMap((element) => {
    const { senses, start, end } = element;
    const said = [...detailOf(senses), ...(end - start > 1 ? wordsOf(tokens.slice(start, end)).flat() : [])];
    if (said.length === 0) return [];
    return [isOneOfSeveral(elements, element) ? [...said, ONE_OF_SEVERAL] : said];
  });
}

/** "Kamba ya katani" and "sisal rope": a phrase also says what each of its words says. */
function wordsOf(tokens: Token[]): Detail[] {
  return tokens.flatMap(({ text }) => {
    if (isConnective(text) || isSilent(text)) return [];
    const said = detailOf(meaningsOf(text));
    return said.length === 0 ? [] : [said];
  });
}

function unknownDetail(text: string): Detail[] {
  if (/^\d+$/.test(text)) return [[`number ${Number(text)}`]];
  return text.length < SHORTEST_WORD ? [] : [[`word ${text}`]];
}

/** Nothing for a word with a job in the sentence, whatever else it may mean. */
export function detailOf(senses: Sense[]): Detail {
  if (senses.some(({ kind }) => kind === 'word')) return [];
  return senses.filter(({ kind }) => TELLING.includes(kind)).map(({ kind, id }) => `${kind} ${id}`);
}
