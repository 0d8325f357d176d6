import { getLexicon } from '#worker/matching/lexicon/lexicon.ts';
import type { ConceptClass, Sense, SenseKind } from '#worker/matching/lexicon/lexicon-types.ts';
import { isConnective, isSilent, type Token } from '#worker/matching/words/tokens.ts';
import { meaningsOf } from './annotate.ts';
import { type Element, hasWord, type ItemMention, sensesOf } from './item-mention.ts';

/**
 * One thing that the post says beyond what it is about, each by the meanings that its words may have: `thing strap`,
 * `attribute cracked`, `colour red`, `concept g:knot`, `word mchimbo`, `number 26`.
 */
export type Detail = string[];

const TOLD_KINDS: readonly SenseKind[] = ['thing', 'attribute', 'colour', 'brand', 'concept'];
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
  return senses.filter(({ kind }) => TOLD_KINDS.includes(kind)).map(({ kind, id }) => `${kind} ${id}`);
}

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
function deniedElements(tokens: Token[], elements: Element[]): ReadonlySet<Element> {
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
function isOneOfSeveral(elements: Element[], element: Element): boolean {
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
