import { getLexicon } from '#worker/matching/lexicon/lexicon.ts';
import type { ConceptClass } from '#worker/matching/lexicon/lexicon-types.ts';
import type { Token } from '#worker/matching/words/tokenise.ts';
import type { Element, ItemMention } from './item-mention.ts';
import { newItem } from './item-mention.ts';
import { namesBeside } from './read-bearings.ts';
import { type Detail, detailOf } from './read-details.ts';

/** Something on the thing, whether a list has it as a thing or not, and what is said of it alone. */
export type Feature = Pick<ItemMention, 'colours' | 'attributes' | 'count'> & {
  keys: Detail;
  isThing: boolean;
  /** What it is of or says: a bank, a club, an office. */
  names: string[];
};

/** "Painted green" is said of the thing. */
const PARTICIPLE = /ed$/;
const BORNE: readonly ConceptClass[] = ['body', 'mark'];

/** Hair, a stone, buttons: no thing that is lost by itself, but a colour beside it is its own. */
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
