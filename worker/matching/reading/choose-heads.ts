import { getLexicon } from '#worker/matching/lexicon/lexicon.ts';
import {
  closestKinship,
  composeThing,
  isMadeBy,
  narrowByBrand,
  widerThings,
} from '#worker/matching/lexicon/thing-relations.ts';
import type { Token } from '#worker/matching/words/tokens.ts';
import { plainQualities } from './annotate.ts';
import { type Element, hasWord, type ItemMention, type ItemRole, newItem, sensesOf } from './item-mention.ts';

/**
 * Words that only say "male" or "female" but stand for an animal: "kuna dume limeingia zizini" (a male got into the
 * pen).
 */
const ANIMAL_BY_SEX = /^(?:ma)?(?:dume|jike)$/;

/** Chooses the mentions that are the lost thing itself (the heads), from the title or else from the description. */
export function chooseHeads(title: Element[], description: Element[], titleWords: Token[]): ItemMention[] {
  const titled = [...joinedMakes(title), ...itemsOf(title, 'head')];
  const heads = withoutContext(titled);
  if (heads.length > 0) return demote(titled, heads);
  const sex = titled.length === 0 ? titleWords.find(({ text }) => ANIMAL_BY_SEX.test(text)) : undefined;
  if (sex !== undefined) return [animalOf(sex.text)];
  const loose = withoutContext(itemsOf(description, 'loose'));
  const brands = [...title, ...leading(description)].flatMap((element) => sensesOf(element, 'brand'));
  const made = loose.find((item) => brands.some((brand) => isMadeBy(item.ids, brand)));
  if (brands.length > 0 && made === undefined) return [];
  const first = made ?? loose[0] ?? titled[0] ?? withoutContext(itemsOf([...title, ...description], 'part'))[0];
  if (first === undefined) return [];
  first.role = 'head';
  return demote(titled, [first]);
}

function animalOf(sex: string): ItemMention {
  const animal = newItem(['animal'], 'head');
  for (const quality of plainQualities(sex, 'attribute')) animal.attributes.add(quality);
  return animal;
}

/**
 * Returns the part of a description before the first named thing, because a make in this part may be the lost thing: in
 * "Samsung A14, kioo kina ufa" (the screen is cracked), the lost thing is the Samsung and not the screen.
 */
function leading(description: Element[]): Element[] {
  const first = description.findIndex((element) => element.item !== null);
  return description.slice(0, Math.max(first, 0)).filter((element) => element.clause === 0);
}

/**
 * Whether a make in a title is a thing of its own and does not only describe a named thing: if "and" follows the make,
 * or if its clause ends before the first named thing. In "Vivo Y17, purple, yellow cover" Vivo is a phone.
 */
function standsAlone(title: Element[], index: number): boolean {
  if (hasWord(title[index + 1], 'and')) return true;
  const clause = title[index]?.clause;
  const first = title.find((element) => element.item !== null);
  return first !== undefined && clause !== undefined && clause < first.clause;
}

/** Returns things that are named only by their make, next to another thing: "Tecno na chaja yake" (and its charger). */
function joinedMakes(title: Element[]): ItemMention[] {
  const { brands } = getLexicon();
  const items = title.flatMap((element) => (element.item ? [element.item] : []));
  return title.flatMap((element, index) => {
    const brand = sensesOf(element, 'brand')[0];
    const made = brands.get(brand ?? '')?.makes[0];
    if (brand === undefined || made === undefined || !standsAlone(title, index)) return [];
    if (items.some((item) => isMadeBy(item.ids, brand))) return [];
    const item = newItem([made], 'head');
    item.brands.add(brand);
    return [item];
  });
}

function itemsOf(elements: Element[], role: ItemRole): ItemMention[] {
  return elements.flatMap((element) => (element.item?.role === role ? [element.item] : []));
}

function withoutContext(items: ItemMention[]): ItemMention[] {
  const { things } = getLexicon();
  return items.filter((item) => !item.ids.every((id) => things.get(id)?.isContext));
}

function demote(titled: ItemMention[], heads: ItemMention[]): ItemMention[] {
  for (const item of titled) if (!heads.includes(item)) item.role = 'context';
  return heads;
}

/** Merges later mentions of the same thing ("the phone is black") into its first mention. */
export function foldHeads(heads: ItemMention[], all: ItemMention[]): ItemMention[] {
  const kept: ItemMention[] = [];
  for (const head of heads) {
    const twin = kept.find((other) => isSameThing(other, head));
    if (twin === undefined) kept.push(head);
    else absorb(twin, head);
  }
  for (const item of all) {
    if (item.role !== 'loose') continue;
    const twin = kept.find((head) => isSameThing(head, item));
    if (twin !== undefined && !isOneOfSeveral(twin, item, all)) absorb(twin, item);
  }
  return kept;
}

/** Whether `item` is one of several things that make up the lost thing (`head`): "Tools: pliers and a screwdriver". */
function isOneOfSeveral(head: ItemMention, item: ItemMention, all: ItemMention[]): boolean {
  const others = all.filter((other) => other !== head && other.role === 'loose' && isNarrower(other, head));
  return isNarrower(item, head) && others.some((other) => !isSameThing(other, item));
}

function isNarrower(item: ItemMention, head: ItemMention): boolean {
  return item.ids.every((id) => head.ids.some((wide) => id !== wide && widerThings(id).includes(wide)));
}

function isSameThing(a: ItemMention, b: ItemMention): boolean {
  return closestKinship(a.ids, b.ids) !== 'none';
}

function absorb(head: ItemMention, item: ItemMention): void {
  if (head === item) return;
  if (isNarrower(item, head)) head.ids = item.ids;
  for (const colour of item.colours) head.colours.add(colour);
  for (const brand of item.brands) head.brands.add(brand);
  for (const model of item.models) head.models.add(model);
  for (const attribute of item.attributes) head.attributes.add(attribute);
  for (const id of item.of) head.of.add(id);
  head.count ??= item.count;
  item.role = 'modifier';
}

/**
 * Makes a vague name of the lost thing exact with clues from the whole post: "keys" become car keys if the text
 * mentions a Subaru.
 */
export function narrowHeads(heads: ItemMention[], all: ItemMention[]): void {
  for (const head of heads) {
    const brands = new Set(
      [head, ...all.filter((item) => item.role === 'context')].flatMap((item) => [...item.brands]),
    );
    for (const brand of brands) head.ids = narrowByBrand(head.ids, brand) ?? head.ids;
    for (const item of all) {
      if (item === head || ['part', 'context', 'absent'].includes(item.role)) continue;
      head.ids = composeThing(head.ids, item.ids) ?? head.ids;
    }
  }
}
