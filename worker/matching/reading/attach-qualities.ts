import { getLexicon } from '#worker/matching/lexicon/lexicon.ts';
import type { Sense } from '#worker/matching/lexicon/lexicon-types.ts';
import { composeThing, isMadeBy, isPartOfMake } from '#worker/matching/lexicon/thing-relations.ts';
import { mayAgree } from '#worker/matching/words/morphology.ts';
import type { Token } from '#worker/matching/words/tokens.ts';
import { isColourOfWriting, plainQualities } from './annotate.ts';
import { type Element, hasWord, type ItemMention, newItem, sensesOf } from './item-mention.ts';

/** The largest number that is a count of things. A larger number is a price, a size or a model. */
const MOST_COUNTED = 100;
/** "Pieces" names no thing, so in "7 pieces" the count is that of the lost thing. */
const PIECES = /^(?:pieces?|pcs|pisi|vipande|pics)$/;
/** A make's model series and model number may be up to this many words after the make. */
const MODEL_REACH = 3;
const ENGLISH_OF = /^(?:of|for)$/;

/**
 * Attaches every colour, make, quality and count in one text field of a post to the thing that it describes.
 * @returns makes that describe no thing in the field, such as a club's name on a key ring.
 */
export function attachQualities(tokens: Token[], elements: Element[], head: ItemMention): string[] {
  const homeless: string[] = [];
  elements.forEach((element, index) => {
    if (element.item !== null) {
      for (const quality of [...sensesOf(element, 'attribute'), ...qualitiesWithin(tokens, element, 'attribute')]) {
        element.item.attributes.add(quality);
      }
      for (const colour of qualitiesWithin(tokens, element, 'colour')) element.item.colours.add(colour);
      const bearer = element.item.role === 'modifier' ? head : element.item;
      for (const brand of sensesOf(element, 'brand')) if (isMadeBy(bearer.ids, brand)) bearer.brands.add(brand);
      return;
    }
    for (const colour of qualitiesWithin(tokens, element, 'colour')) element.feature?.colours.add(colour);
    const colour = element.senses.find((sense) => sense.kind === 'colour');
    const attributes = element.senses.filter((sense) => sense.kind === 'attribute');
    if (colour !== undefined && isColourOfWriting(tokens, element)) return;
    if (colour !== undefined) target(tokens, elements, index, colour, head).colours.add(colour.id);
    else
      for (const attribute of attributes) target(tokens, elements, index, attribute, head).attributes.add(attribute.id);
    const counted = countOf(tokens, element);
    if (counted !== null && PIECES.test(tokens[element.end]?.text ?? '')) head.count ??= counted;
    else if (counted !== null) setCount(elements, index, counted, head);
    for (const brand of brandsOf(tokens, elements, index)) {
      if (attachBrand(elements, index, brand, head, tokens)) continue;
      homeless.push(brand.toLowerCase());
      if (followsOf(elements, index)) head.of.add(getLexicon().brands.get(brand)?.makes[0] ?? '');
    }
  });
  return homeless;
}

/** Returns the qualities inside a phrase of the lexicon: "ladies shoes" is one thing and also says for whom it is. */
function qualitiesWithin(tokens: Token[], element: Element, kind: 'attribute' | 'colour'): string[] {
  if (element.end - element.start < 2) return [];
  return tokens.slice(element.start, element.end).flatMap((token) => plainQualities(token.text, kind));
}

function followsOf(elements: Element[], index: number): boolean {
  let at = index - 1;
  while (hasWord(elements[at], 'stop')) at -= 1;
  return hasWord(elements[at], 'of');
}

/**
 * Finds the thing that a quality describes: in Swahili before the quality, in English after it. If no thing is there,
 * the quality describes the lost thing (`head`).
 */
function target(tokens: Token[], elements: Element[], index: number, sense: Sense, head: ItemMention): ItemMention {
  const before = neighbour(elements, index, -1);
  const after = neighbour(elements, index, 1);
  if (after === null && standsInPlace(elements, index)) return newItem([], 'context');
  const beforeIsSwahili =
    before?.element.senses.some((known) => known.kind === 'thing' && known.lang === 'sw') ?? false;
  const touchesBefore = before?.isDirect ?? false;
  const isSwahili = sense.lang === 'sw' || isAfterOf(tokens, elements, index);
  if (isSwahili || (beforeIsSwahili && touchesBefore)) {
    return (
      owner(agreeing(tokens, elements, index, before?.element), head) ??
      (after !== null &&
      !isAfterOf(tokens, elements, index) &&
      isRightBefore(elements, index, after) &&
      (sense.kind !== 'colour' || mayAgree(wordOf(tokens, after.element), wordOf(tokens, elements[index])))
        ? owner(after.element, head)
        : null) ??
      head
    );
  }
  if (after?.isDirect) return owner(after.element, head) ?? head;
  return owner(before?.element, head) ?? head;
}

/** After a Swahili "of", even an English word describes the noun before it: "baiskeli ya blue" is a blue bicycle. */
function isAfterOf(tokens: Token[], elements: Element[], index: number): boolean {
  const before = elements[index - 1];
  return hasWord(before, 'of') && !ENGLISH_OF.test(tokens[before?.start ?? 0]?.text ?? '');
}

/**
 * Finds the nearest preceding noun with the same noun class as the quality: in "begi la vitabu jeusi" (bag of books,
 * black) the bag is black. Returns `nearest` if no preceding noun has this class.
 */
function agreeing(
  tokens: Token[],
  elements: Element[],
  index: number,
  nearest: Element | undefined,
): Element | undefined {
  const quality = elements[index];
  const isSaidOf = (element: Element): boolean =>
    (element.item !== null || element.feature !== null) && mayAgree(wordOf(tokens, element), wordOf(tokens, quality));
  if (nearest === undefined || isSaidOf(nearest)) return nearest;
  return (
    elements
      .slice(0, index)
      .filter((element) => element.clause === quality?.clause)
      .findLast(isSaidOf) ?? nearest
  );
}

function wordOf(tokens: Token[], element: Element | undefined): string {
  return tokens[element?.start ?? -1]?.text ?? '';
}

/**
 * Whether a Swahili quality may describe the next noun: "nyeusi simu" (black phone) yes, "nyeusi ya kaseti" (black, of
 * tape) no.
 */
function isRightBefore(elements: Element[], index: number, after: Neighbour): boolean {
  const between = elements.slice(index + 1, elements.indexOf(after.element));
  return after.isDirect && !between.some((element) => hasWord(element, 'of') || hasWord(element, 'having'));
}

function owner(element: Element | undefined, head: ItemMention): ItemMention | null {
  const item = element?.item ?? element?.feature ?? null;
  return item?.role === 'modifier' ? head : item;
}

/**
 * Whether the quality describes the place where the lost thing was, not the thing: "grey" in "in a grey …", if the
 * lexicon does not contain the next word.
 */
function standsInPlace(elements: Element[], index: number): boolean {
  const clause = elements[index]?.clause;
  for (let at = index - 1; at >= 0 && elements[at]?.clause === clause; at -= 1) {
    if (elements[at]?.item) return false;
    if (hasWord(elements[at], 'locative')) return elements[index + 1]?.senses.length === 0;
  }
  return false;
}

type Neighbour = { element: Element; isDirect: boolean };

/** Finds the nearest thing in the same clause. `isDirect`: nothing but qualities is in between. */
function neighbour(elements: Element[], index: number, step: 1 | -1): Neighbour | null {
  const clause = elements[index]?.clause;
  let isDirect = true;
  for (let at = index + step; elements[at]?.clause === clause && at >= 0; at += step) {
    const element = elements[at];
    if (element === undefined) break;
    if (element.item !== null || element.feature !== null) return { element, isDirect };
    if (element.senses.some((sense) => sense.kind === 'word') && !hasWord(element, 'stop')) {
      if (!hasWord(element, 'and') && !hasWord(element, 'of')) isDirect = false;
    }
  }
  return null;
}

function countOf(tokens: Token[], element: Element): number | null {
  const spoken = sensesOf(element, 'number')[0];
  if (isRough(tokens, element.start)) return null;
  if (spoken !== undefined) return Number(spoken);
  const digits = tokens[element.start]?.text ?? '';
  return /^\d{1,2}$/.test(digits) && Number(digits) <= MOST_COUNTED ? Number(digits) : null;
}

/** Whether a count is approximate ("zaidi ya watano", "about ten"), so that another count does not contradict it. */
function isRough(tokens: Token[], start: number): boolean {
  const before = [tokens[start - 2]?.text ?? '', tokens[start - 1]?.text ?? ''].join(' ');
  return /(?:zaidi ya|kama|karibu|takriban|about|around|over|least|more than|almost|nearly)$/.test(before);
}

function setCount(elements: Element[], index: number, count: number, head: ItemMention): void {
  if (count < 1) return;
  const isDigits = sensesOf(elements[index], 'number').length === 0;
  const before = neighbour(elements, index, -1);
  const after = neighbour(elements, index, 1);
  const touching = [after, before].find(
    (near) => near?.isDirect && (!isDigits || Math.abs(elements.indexOf(near.element) - index) === 1),
  );
  const counted = touching?.element.item ?? touching?.element.feature;
  if (counted) counted.count ??= count;
  else if (before === null && after === null && !isDigits && count > 1) head.count ??= count;
}

function brandsOf(tokens: Token[], elements: Element[], index: number): string[] {
  const element = elements[index];
  const named = sensesOf(element, 'brand');
  if (named.length > 0) return named;
  const series = sensesOf(element, 'series');
  const next = tokens[element?.end ?? 0]?.text ?? '';
  return series.length === 1 && /^\d{1,3}[a-z]{0,2}$/.test(next) ? series : [];
}

function attachBrand(elements: Element[], index: number, brand: string, head: ItemMention, tokens: Token[]): boolean {
  const item = bearerOf(elements, index, brand, head);
  if (item === null) return false;
  const bearer = item.role === 'modifier' ? head : item;
  if (!isMadeBy(item.ids, brand)) beOfMake(bearer, brand);
  bearer.brands.add(brand);
  for (const model of modelsAfter(tokens, elements, index, brand)) bearer.models.add(model);
  return true;
}

/** Makes an accessory specific: a "Nokia charger" is a phone charger, even if the charger itself is of another make. */
function beOfMake(item: ItemMention, brand: string): void {
  const made = getLexicon().brands.get(brand)?.makes.slice(0, 1) ?? [];
  const composed = composeThing(item.ids, made);
  if (composed !== null) item.ids = composed;
  else for (const id of made) item.of.add(id);
}

/**
 * Finds the mentioned thing that a make describes: a thing of a kind that the make produces, or else a part of such a
 * thing, such as the mirror of a Noah (a car by Toyota). Prefers things beside the make.
 */
function bearerOf(elements: Element[], index: number, brand: string, head: ItemMention): ItemMention | null {
  const near = [neighbour(elements, index, -1), neighbour(elements, index, 1)].flatMap((found) =>
    found?.element.item ? [found.element.item] : [],
  );
  const anywhere = elements.flatMap((element) => (element.item ? [element.item] : []));
  return (
    near.find((item) => isMadeBy(item.ids, brand)) ??
    (isMadeBy(head.ids, brand) ? head : undefined) ??
    anywhere.find((item) => isMadeBy(item.ids, brand)) ??
    near.find((item) => item.role === 'head' && isPartOfMake(item.ids, brand)) ??
    null
  );
}

/** Returns model series and number from the words around the make: "Spark 8", "Galaxy A12", "11 Pro". */
function modelsAfter(tokens: Token[], elements: Element[], index: number, brand: string): string[] {
  const series = getLexicon().brands.get(brand)?.series ?? new Set<string>();
  const element = elements[index];
  const models: string[] = [];
  if (element === undefined) return models;
  for (let at = element.start; at < element.end + MODEL_REACH; at += 1) {
    const token = tokens[at];
    if (token === undefined || (at > element.end && /[.,;:()]/.test(token.gap))) break;
    const glued = /^([a-z]{2,})(\d{1,4})$/.exec(token.text);
    if (glued !== null && series.has(glued[1] ?? '')) models.push(`series ${glued[1]}`, `number ${glued[2]}`);
    else if (series.has(token.text)) models.push(`series ${token.text}`);
    else if (at >= element.end && /^(?:[a-z]{1,2}\d{1,4}[a-z]?|\d{1,4}[a-z]?)$/.test(token.text)) {
      const isSize = /^(?:gb|inch|inchi|line|laini)$/.test(tokens[at + 1]?.text ?? '') || /gb$/.test(token.text);
      if (!isSize) models.push(`number ${token.text}`);
    }
  }
  return models;
}
