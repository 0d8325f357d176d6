import type { Sense, SenseKind } from '#worker/matching/lexicon/lexicon-types.ts';
import type { Token } from '#worker/matching/words/tokenise.ts';
import type { Element, ItemMention } from './item-mention.ts';

/**
 * One thing that the post says beyond what it is about, each by the meanings that its words may have: `thing strap`,
 * `attribute cracked`, `colour red`, `concept g:knot`, `word mchimbo`, `number 26`.
 */
export type Detail = string[];

const TELLING: readonly SenseKind[] = ['thing', 'attribute', 'colour', 'brand', 'concept'];
/** Letters. */
const SHORTEST_WORD = 3;

/** Everything that a field says of the thing, in its order; what names the thing itself is left out. */
export function readDetails(tokens: Token[], elements: Element[], heads: ItemMention[]): Detail[] {
  const own = new Set(heads.flatMap((head) => head.ids));
  return elements.flatMap((element) => {
    if (element.senses.length === 0) return unknownDetail(tokens, element);
    if (element.senses.some(({ kind, id }) => kind === 'thing' && own.has(id))) return [];
    const keys = element.senses.filter(({ kind }) => TELLING.includes(kind)).map(keyOf);
    return keys.length === 0 ? [] : [keys];
  });
}

function unknownDetail(tokens: Token[], { start }: Element): Detail[] {
  const { text = '' } = tokens[start] ?? {};
  if (/^\d+$/.test(text)) return [[`number ${Number(text)}`]];
  return text.length < SHORTEST_WORD ? [] : [[`word ${text}`]];
}

function keyOf({ kind, id }: Sense): string {
  return `${kind} ${id}`;
}
