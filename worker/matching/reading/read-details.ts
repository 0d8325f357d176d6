import { getLexicon } from '#worker/matching/lexicon/lexicon.ts';
import type { ConceptClass, Sense, SenseKind } from '#worker/matching/lexicon/lexicon-types.ts';
import { isConnective, isSilent, type Token } from '#worker/matching/words/tokens.ts';
import { meaningsOf } from './annotate.ts';
import { type Element, hasWord, type ItemMention, sensesOf } from './item-mention.ts';

/**
 * A fact about the thing besides its name. Contains one key for each possible meaning of the words: `thing strap`,
 * `attribute cracked`, `colour red`, `concept g:knot`, `word mchimbo`, `number 26`.
 */
export type Detail = string[];

const TOLD_KINDS: readonly SenseKind[] = ['thing', 'attribute', 'colour', 'brand', 'concept'];
/** The fewest letters of an unknown word that counts as a detail. */
const SHORTEST_WORD = 3;

/**
 * Returns all details in a title or description, in order, without the words that name the thing itself.
 * @param isNamed false for a title without a known thing. Its unknown words then count as the thing's name.
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

/** Marks a missing part if the thing still has other parts of the same sort: "one wheel missing". */
export const ONE_OF_SEVERAL = 'one of several';

/** Returns the details that the thing does not have. */
export function readDenied(tokens: Token[], elements: Element[]): Detail[] {
  return [...deniedElements(tokens, elements)].flatMap((element) => {
    const { senses, start, end } = element;
    const said = [...detailOf(senses), ...(end - start > 1 ? wordsOf(tokens.slice(start, end)).flat() : [])];
    if (said.length === 0) return [];
    return [isOneOfSeveral(elements, element) ? [...said, ONE_OF_SEVERAL] : said];
  });
}

/** Returns the details of a phrase's single words, so that "kamba ya katani" (rope of sisal) also matches "sisal". */
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

/** Returns the meanings of a word as a detail. A grammatical word gives an empty detail, whatever else it may mean. */
export function detailOf(senses: Sense[]): Detail {
  if (senses.some(({ kind }) => kind === 'word')) return [];
  return senses.filter(({ kind }) => TOLD_KINDS.includes(kind)).map(({ kind, id }) => `${kind} ${id}`);
}

/** A denial such as "no" applies to up to this many things or qualities: "no handle, button or key". */
const REACH = 3;
/** How many phrases away a denial can apply. Without a limit "no no no …" would take quadratic time. */
const FURTHEST = 30;
/** A denial such as "no" applies to concepts of these classes, not to actions and places. */
const BORNE: readonly ConceptClass[] = ['mark', 'body', 'person', 'event'];
const SIDE = /^(?:g:)?(?:front|rear|back|left|right|upper|lower)$/;
const FIGURES = /^\d/;
/**
 * Words that precede the missing part. What precedes such a word is not missing, even if the lexicon does not know the
 * missing part: "a bell without top".
 */
const PREPOSED = /^(?:without|no|bila|with)$/;
const RELATIONS = ['having', 'locative', 'and', 'lost', 'found'];

/** Returns what the thing lacks: "without any sticker", "kijiti kimoja hakipo", "battery cover missing". */
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
  // "Ticket no. 56" has a number and denies nothing.
  if (FIGURES.test(tokens[element.end]?.text ?? '')) return [];
  const after = isLacking ? reach(elements, at, 1) : [];
  if (after.length > 0 || PREPOSED.test(tokens[element.start]?.text ?? '')) return after;
  const before = reach(elements, at, -1);
  // "Brown wallet missing" says that the wallet is lost, not that the thing lacks a wallet.
  return before.some(({ item }) => item?.role === 'head') ? [] : before;
}

/** Whether the thing still has other parts of the same sort: "one wheel missing", "the front brake is not there". */
function isOneOfSeveral(elements: Element[], element: Element): boolean {
  if (element.item !== null && element.item.count !== null) return true;
  const at = elements.indexOf(element);
  const beside = [element, elements[at - 1], elements[at + 1]].filter((other) => other?.clause === element.clause);
  return beside.some((other) => other?.senses.some(({ kind, id }) => kind === 'number' || SIDE.test(id)));
}

/**
 * Returns the things or qualities next to a denial such as "is not there". Stops at the end of the clause, at a linking
 * word such as "and", and after a thing that can be lost alone. Skips words that only say where something is: in "a
 * button on the top row is not there", the button is missing.
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
