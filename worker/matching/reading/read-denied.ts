import { getLexicon } from '#worker/matching/lexicon/lexicon.ts';
import type { ConceptClass } from '#worker/matching/lexicon/lexicon-types.ts';
import type { Token } from '#worker/matching/words/tokenise.ts';
import type { Element } from './item-mention.ts';
import { hasWord, sensesOf } from './item-mention.ts';

/** Things and qualities beside the denial: "no handle, button or key". */
const REACH = 3;
/** Elements: in "no no no …" each would look at all the others. */
const FURTHEST = 30;
/** What a thing may have: neither an action nor where something was. */
const BORNE: readonly ConceptClass[] = ['mark', 'body', 'person', 'event'];
const SIDE = /^(?:g:)?(?:front|rear|back|left|right|upper|lower)$/;
const FIGURES = /^\d/;
/** "A bell without top": what these deny follows them, known or not. */
const PREPOSED = /^(?:without|no|bila|with)$/;
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
  if (after.length > 0 || PREPOSED.test(tokens[element.start]?.text ?? '')) return after;
  const before = reach(elements, at, -1);
  // "Brown wallet missing" is what was lost.
  return before.some(({ item }) => item?.role === 'head') ? [] : before;
}

/** "One wheel missing", "the front brake is not there": there are others. */
export function isOneOfSeveral(elements: Element[], element: Element): boolean {
  if (element.item !== null && element.item.count !== null) return true;
  const at = elements.indexOf(element);
  const beside = [element, elements[at - 1], elements[at + 1]].filter((other) => other?.clause === element.clause);
  return beside.some((other) => other?.senses.some(({ kind, id }) => kind === 'number' || SIDE.test(id)));
}

/**
 * What stands beside the denial in its clause, up to the first thing or whatever begins something else. "A button on the
 * top row is not there": what only says where is passed over.
 */
function reach(elements: Element[], at: number, step: 1 | -1): Element[] {
  let reached: Element[] = [];
  let left = REACH;
  for (let other = at + step; left > 0 && Math.abs(other - at) <= FURTHEST; other += step) {
    const element = elements[other];
    if (element === undefined || element.clause !== elements[at]?.clause) break;
    if (step < 0 && hasWord(element, 'locative')) {
      reached = [];
      left = REACH;
      continue;
    }
    if (RELATIONS.some((role) => hasWord(element, role))) break;
    if (!namesSomething(element)) continue;
    left -= 1;
    reached.push(element);
    if (element.item !== null) break;
  }
  return reached;
}

function namesSomething({ senses }: Element): boolean {
  const { concepts } = getLexicon();
  if (senses.some(({ kind }) => kind === 'word' || kind === 'colour' || kind === 'number')) return false;
  return senses.some(
    ({ kind, id }) =>
      kind === 'thing' ||
      kind === 'attribute' ||
      (kind === 'concept' && BORNE.includes(concepts.get(id)?.class ?? 'other')),
  );
}
