import type { Token } from '#worker/matching/words/tokenise.ts';
import type { Element } from './item-mention.ts';
import { hasWord, sensesOf } from './item-mention.ts';

/** Elements between what denies and what is denied: "no place for a cassette". */
const REACH = 3;
const FIGURES = /^\d/;
const RELATIONS = ['having', 'locative', 'and', 'lost', 'found'];

/** The elements that say what the thing has not: "without any sticker", "kijiti kimoja hakipo", "battery cover missing". */
export function deniedElements(tokens: Token[], elements: Element[]): ReadonlySet<Element> {
  const denied = new Set<Element>();
  for (const [at, element] of elements.entries()) {
    for (const other of deniedBy(tokens, elements, at, element)) denied.add(other);
  }
  return denied;
}

function deniedBy(tokens: Token[], elements: Element[], at: number, element: Element): Element[] {
  const isLacking = hasWord(element, 'lacking');
  const isGone = sensesOf(element, 'attribute').includes('missing-part');
  if (!isLacking && !isGone) return [];
  // "Ticket no. 56" names a number and denies none.
  if (FIGURES.test(tokens[element.end]?.text ?? '')) return [];
  const after = isLacking ? reach(elements, at, 1) : [];
  return after.length > 0 ? after : reach(elements, at, -1);
}

/** What stands beside the denial in its clause, up to the first thing or whatever begins something else. */
function reach(elements: Element[], at: number, step: 1 | -1): Element[] {
  const reached: Element[] = [];
  for (let other = at + step; Math.abs(other - at) <= REACH; other += step) {
    const element = elements[other];
    if (element === undefined || element.clause !== elements[at]?.clause) break;
    if (RELATIONS.some((role) => hasWord(element, role))) break;
    if (!namesSomething(element)) continue;
    reached.push(element);
    if (element.item !== null) break;
  }
  return reached;
}

function namesSomething({ senses }: Element): boolean {
  if (senses.some(({ kind }) => kind === 'word' || kind === 'colour' || kind === 'number')) return false;
  return senses.some(({ kind }) => kind === 'thing' || kind === 'concept' || kind === 'attribute');
}
