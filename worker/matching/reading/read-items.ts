import { getLexicon } from '#worker/matching/lexicon/lexicon.ts';
import type { Sense } from '#worker/matching/lexicon/lexicon-types.ts';
import { closestKinship, composeThing, isContainer, isMadeBy } from '#worker/matching/lexicon/thing-relations.ts';
import type { Token } from '#worker/matching/words/tokens.ts';
import { type Annotation, isBreak } from './annotate.ts';
import { type Element, hasWord, type ItemMention, type ItemRole, newItem, sensesOf } from './item-mention.ts';

/** At the start of a clause these words introduce the contents, not the location: "Blue bag, inside a laptop". */
const CONTENTS_CUE = /^(?:inside|ndani)$/;
const HAVING: Sense = { kind: 'word', id: 'having', lang: 'any' };

export type Field = 'title' | 'description';

export function toElements(tokens: Token[], annotations: Annotation[]): Element[] {
  let clause = 0;
  let last = 0;
  return annotations.map((annotation, index) => {
    const { start, end, senses } = annotation;
    for (let at = last + 1; at <= start; at += 1) if (isBreak(tokens[at])) clause += 1;
    last = start;
    const isWhole = !isHalfOfCompound(tokens, annotations[index - 1], annotation, annotations[index + 1]);
    const isOpening = (start === 0 || isBreak(tokens[start])) && end - start === 1;
    if (isOpening && CONTENTS_CUE.test(tokens[start]?.text ?? '')) {
      return { senses: [HAVING], start, end, clause, item: null, feature: null };
    }
    return {
      senses: isWhole && !isNameOfMake(tokens, end) ? senses : [],
      start,
      end,
      clause,
      item: null,
      feature: null,
    };
  });
}

/**
 * Whether the word is half of a hyphenated word whose other half is unknown. The half then does not have its usual
 * meaning: "turtle-neck" is no turtle.
 */
function isHalfOfCompound(
  tokens: Token[],
  before: Annotation | undefined,
  { start, end }: Annotation,
  after: Annotation | undefined,
): boolean {
  if (end - start > 1) return false;
  const isUnknown = (part: Annotation | undefined): boolean =>
    part?.senses.length === 0 && isLetters(tokens[part.start]);
  return (tokens[start]?.gap === '-' && isUnknown(before)) || (tokens[end]?.gap === '-' && isUnknown(after));
}

function isLetters(token: Token | undefined): boolean {
  return token !== undefined && /^[a-z]+$/.test(token.text);
}

/** Whether the word is a make and not a thing: "Kasuku brand" is not a parrot (kasuku). */
function isNameOfMake(tokens: Token[], end: number): boolean {
  return tokens[end]?.text === 'brand' && tokens[end]?.gap === '';
}

function langOf(element: Element): string {
  return element.senses.find((sense) => sense.kind === 'thing')?.lang ?? 'any';
}

type Relation = 'none' | 'locative' | 'having' | 'lacking' | 'of' | 'and';

/** Sets the role of each thing that the field's text mentions, for example the lost thing itself, or its contents. */
export function assignRoles(elements: Element[], field: Field): void {
  let relation: Relation = 'none';
  let listRole: ItemRole = field === 'title' ? 'head' : 'loose';
  let previous: Element | null = null;
  let clause = 0;
  for (const [index, element] of elements.entries()) {
    if (saysForWhom(elements, index)) {
      element.senses = element.senses.filter((sense) => sense.kind !== 'thing');
    }
    if (element.clause !== clause) {
      if (relation === 'locative' || relation === 'of') relation = 'none';
      clause = element.clause;
    }
    const ids = sensesOf(element, 'thing');
    if (ids.length === 0) {
      if (!isMakeBeforeIts(elements, index)) relation = nextRelation(relation, element, elements[index - 1]);
      if (relation === 'of' && previous === null) relation = 'having';
      if (hasWord(element, 'lost') || hasWord(element, 'found')) listRole = field === 'title' ? 'head' : 'loose';
      continue;
    }
    const role: ItemRole = roleFor(relation, listRole, field);
    element.item = newItem(ids, role);
    if (role === 'absent') {
      relation = 'none';
      continue;
    }
    if (role === 'modifier' && previous?.item) combine(previous.item, element.item);
    else if (previous?.item && isCompound(previous, element)) joinCompound(previous, element);
    if (role === 'part' || role === 'context') listRole = role === 'context' ? listRole : 'part';
    if (relation === 'of' || relation === 'locative' || relation === 'and') relation = 'none';
    if (element.item.role !== 'modifier') previous = element;
  }
}

/** Whether the make only describes the next thing: in "a cover for a Tecno phone", Tecno is not a phone of its own. */
function isMakeBeforeIts(elements: Element[], index: number): boolean {
  const [brand] = sensesOf(elements[index], 'brand');
  const next = elements[index + 1];
  return brand !== undefined && next?.clause === elements[index]?.clause && isMadeBy(sensesOf(next, 'thing'), brand);
}

/** Whether the word for a person only says whom the thing is for: "one child's shoe" is a shoe, not a child. */
function saysForWhom(elements: Element[], index: number): boolean {
  const element = elements[index];
  if (sensesOf(element, 'attribute').length === 0 || sensesOf(element, 'thing').length === 0) return false;
  const { things } = getLexicon();
  if (!sensesOf(element, 'thing').every((id) => things.get(id)?.isContext)) return false;
  return elements.some(
    (other) => other !== element && other.clause === element?.clause && isThingOfItsOwn(sensesOf(other, 'thing')),
  );
}

function isThingOfItsOwn(ids: string[]): boolean {
  return ids.some((id) => !getLexicon().things.get(id)?.isContext);
}

function roleFor(relation: Relation, listRole: ItemRole, field: Field): ItemRole {
  if (relation === 'locative') return 'context';
  if (relation === 'having') return 'part';
  if (relation === 'lacking') return 'absent';
  if (relation === 'of') return 'modifier';
  if (relation === 'and') return listRole;
  return field === 'title' ? listRole : listRole === 'part' ? 'part' : 'loose';
}

function nextRelation(relation: Relation, element: Element, before: Element | undefined): Relation {
  if (hasWord(element, 'locative')) return 'locative';
  if (hasWord(element, 'having')) return 'having';
  if (hasWord(element, 'lacking')) return 'lacking';
  if (hasWord(element, 'of')) return before !== undefined && isThingOrQuality(before) ? 'of' : relation;
  if (hasWord(element, 'and')) return relation === 'having' ? 'having' : 'and';
  if (hasWord(element, 'lost') || hasWord(element, 'found')) return 'none';
  if (relation === 'of' || relation === 'locative') {
    return sensesOf(element, 'place').length > 0 || sensesOf(element, 'brand').length > 0 ? 'none' : relation;
  }
  return relation;
}

function isThingOrQuality(element: Element): boolean {
  return element.item !== null || hasWord(element, 'stop') || isMake(element);
}

/**
 * Whether the element is a make or a colour, which may stand for the lost thing itself. In "iPhone 7 nyeusi ya kioo
 * kilichovunjika" (black iPhone 7 with broken glass), the make and the colour stand for the phone. The glass is only a
 * part of the phone.
 */
function isMake(element: Element): boolean {
  return element.senses.some((sense) => sense.kind === 'brand' || sense.kind === 'colour');
}

function isCompound(left: Element, right: Element): boolean {
  return left.end === right.start && left.clause === right.clause;
}

/** Joins two nouns. English puts the main noun last ("laptop bag"), Swahili first ("begi laptop"). */
function joinCompound(left: Element, right: Element): void {
  if (left.item === null || right.item === null || left.item.role === 'context') return;
  const isEnglish = langOf(right) === 'en' || (langOf(right) === 'any' && langOf(left) === 'en');
  const composed = composeThing(right.item.ids, left.item.ids);
  if (closestKinship(left.item.ids, right.item.ids) !== 'none') {
    right.item.role = 'modifier';
    right.item.ids = left.item.ids;
  } else if (isEnglish || composed !== null) {
    right.item.role = left.item.role;
    right.item.ids = composed ?? right.item.ids;
    if (composed === null) for (const id of left.item.ids) right.item.of.add(id);
    left.item.role = 'modifier';
  } else {
    combine(left.item, right.item);
    if (right.item.role !== 'part') right.item.role = 'modifier';
  }
}

/** Joins two things linked by "of": "keys of a car" are car keys, "a bag of clothes" is a bag that contains clothes. */
function combine(head: ItemMention, modifier: ItemMention): void {
  const composed = composeThing(head.ids, modifier.ids);
  if (composed !== null) head.ids = composed;
  else if (head.role === 'head' && head.ids.every(isPackaging)) {
    head.role = 'part';
    modifier.role = 'head';
  } else if (head.ids.some(isContainer)) modifier.role = 'part';
  else for (const id of modifier.ids) head.of.add(id);
}

/** Whether the thing is only packaging: in "a sack of maize" people look for the maize. */
function isPackaging(id: string): boolean {
  return getLexicon().things.get(id)?.isPackaging ?? false;
}

/** The things of a group that look alike: the two black ones, the one cock. */
export type Member = {
  /** How many things look like this; null for "the others". */ count: number | null;
  colours: Set<string>;
  attributes: Set<string>;
};

const THE_OTHERS = /^(?:wengine|mwingine|nyingine|lingine|kingine|mengine|vingine|zingine|others?|rest)$/;
/** Qualities, besides colour, that distinguish the members of a group of things: sex, age, size. */
const GROUPS_OF_QUALITIES = ['for whom', 'age of whom', 'size'];
/** The largest number that is read as a count of a group's members. */
const MOST_OF_A_KIND = 30;

/**
 * Splits a group of things into members that differ: "dume moja jeusi, majike matano meupe" (one black male, five white
 * females). Returns an empty list if the text names no such members.
 */
export function readMembers(tokens: Token[], elements: Element[]): Member[] {
  const members = elements.flatMap((_, at) => {
    const count = countAt(tokens, elements, at);
    if (count === undefined) return [];
    const qualities = [...run(tokens, elements, at, -1), ...run(tokens, elements, at, 1)];
    const colours = new Set(qualities.flatMap((element) => sensesOf(element, 'colour').slice(0, 1)));
    const attributes = new Set(qualities.flatMap((element) => sensesOf(element, 'attribute').filter(isDistinctive)));
    return colours.size + attributes.size === 0 ? [] : [{ count, colours, attributes }];
  });
  return members.length > 1 ? members : [];
}

/**
 * Returns the number of group members that an element states; null for "the others"; undefined if the element states
 * no such number: "jicho moja" (one eye) is about a part of an animal.
 */
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

/** Returns the qualities before (`step` -1) or after (1) a number word, at most up to the next number word. */
function run(tokens: Token[], elements: Element[], at: number, step: 1 | -1): Element[] {
  const reached: Element[] = [];
  for (let other = at + step; elements[other]?.clause === elements[at]?.clause; other += step) {
    const element = elements[other];
    if (element === undefined || element.item !== null || element.feature !== null) break;
    if (countAt(tokens, elements, other) !== undefined || hasWord(element, 'having')) break;
    const isQuality = sensesOf(element, 'colour').length > 0 || sensesOf(element, 'attribute').some(isDistinctive);
    if (step === -1 && !isQuality) break;
    if (isQuality) reached.push(element);
  }
  // Qualities between two number words describe the things that the earlier number word counts.
  return step === -1 && follows(tokens, elements, at - reached.length) ? [] : reached;
}

function follows(tokens: Token[], elements: Element[], at: number): boolean {
  return elements[at - 1]?.clause === elements[at]?.clause && countAt(tokens, elements, at - 1) !== undefined;
}

function isDistinctive(id: string): boolean {
  return GROUPS_OF_QUALITIES.includes(getLexicon().attributes.get(id)?.group ?? '');
}
