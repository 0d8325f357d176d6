import { getLexicon } from '#worker/matching/lexicon/lexicon.ts';
import type { Token } from '#worker/matching/words/tokenise.ts';
import type { Element } from './item-mention.ts';
import { hasWord, sensesOf } from './item-mention.ts';

/** Some of a group that are alike: two black ones, a cock. */
export type Member = {
  /** Null for "the others". */ count: number | null;
  colours: Set<string>;
  attributes: Set<string>;
};

const THE_OTHERS = /^(?:wengine|mwingine|nyingine|lingine|kingine|mengine|vingine|zingine|others?|rest)$/;
/** Sex and age tell one of a group from another. */
const GROUPS_OF_QUALITIES = ['for whom', 'age of whom', 'size'];
/** A larger number counts the group, or is no count. */
const MOST_OF_A_KIND = 30;

/** "Dume moja jeusi, majike matano meupe", "one white, the other brown": the group as a set; empty for what is no group. */
export function readMembers(tokens: Token[], elements: Element[]): Member[] {
  const members = elements.flatMap((_, at) => {
    const count = countAt(tokens, elements, at);
    if (count === undefined) return [];
    const qualities = [...run(tokens, elements, at, -1), ...run(tokens, elements, at, 1)];
    const colours = new Set(qualities.flatMap((element) => sensesOf(element, 'colour').slice(0, 1)));
    const attributes = new Set(qualities.flatMap((element) => sensesOf(element, 'attribute').filter(isTelling)));
    return colours.size + attributes.size === 0 ? [] : [{ count, colours, attributes }];
  });
  return members.length > 1 ? members : [];
}

/** Undefined where nothing is counted: "jicho moja" is one of what an animal has two of. */
function countAt(tokens: Token[], elements: Element[], at: number): number | null | undefined {
  const [before, element] = [elements[at - 1], elements[at]];
  if (element === undefined || isOfPart(before, element)) return undefined;
  const word = tokens[element.start]?.text ?? '';
  if (THE_OTHERS.test(word)) return null;
  const spoken = Number(sensesOf(element, 'number')[0] ?? (/^\d{1,2}$/.test(word) ? word : Number.NaN));
  return spoken >= 1 && spoken <= MOST_OF_A_KIND ? spoken : undefined;
}

function isOfPart(before: Element | undefined, element: Element): boolean {
  if (before?.clause !== element.clause) return false;
  return before.feature !== null || (before.item !== null && before.item.role !== 'head');
}

/** The qualities beside the number, as far as they are the group's own and not the next number's. */
function run(tokens: Token[], elements: Element[], at: number, step: 1 | -1): Element[] {
  const reached: Element[] = [];
  for (let other = at + step; elements[other]?.clause === elements[at]?.clause; other += step) {
    const element = elements[other];
    if (element === undefined || element.item !== null || element.feature !== null) break;
    if (countAt(tokens, elements, other) !== undefined || hasWord(element, 'having')) break;
    const isQuality = sensesOf(element, 'colour').length > 0 || sensesOf(element, 'attribute').some(isTelling);
    if (step === -1 && !isQuality) break;
    if (isQuality) reached.push(element);
  }
  // What stands between two numbers belongs to the one before it, unless that has none of its own.
  return step === -1 && follows(tokens, elements, at - reached.length) ? [] : reached;
}

function follows(tokens: Token[], elements: Element[], at: number): boolean {
  return elements[at - 1]?.clause === elements[at]?.clause && countAt(tokens, elements, at - 1) !== undefined;
}

function isTelling(id: string): boolean {
  return GROUPS_OF_QUALITIES.includes(getLexicon().attributes.get(id)?.group ?? '');
}
