import { getLexicon } from '#worker/matching/lexicon/lexicon.ts';
import { isMadeBy } from '#worker/matching/lexicon/thing-relations.ts';
import type { Token } from '#worker/matching/words/tokenise.ts';
import type { Element, ItemMention, ItemRole } from './item-mention.ts';
import { hasWord, newItem, sensesOf } from './item-mention.ts';
import { plainQualities } from './word-qualities.ts';

/** "Kuna dume limeingia zizini": who names no animal means one nevertheless. */
const ANIMAL_BY_SEX = /^(?:ma)?(?:dume|jike)$/;

/** Settles which mention is the lost thing itself when the title does not name one. */
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

/** "Samsung A14, kioo kina ufa": the make that opens a description is the thing, what follows is on it. */
function leading(description: Element[]): Element[] {
  const first = description.findIndex((element) => element.item !== null);
  return description.slice(0, Math.max(first, 0)).filter((element) => element.clause === 0);
}

/** Joined to something by "and", or with no thing in its own clause: "Vivo Y17, purple, yellow cover". */
function standsAlone(title: Element[], index: number): boolean {
  if (hasWord(title[index + 1], 'and')) return true;
  const clause = title[index]?.clause;
  const first = title.find((element) => element.item !== null);
  return first !== undefined && clause !== undefined && clause < first.clause;
}

/** "Tecno na chaja yake": a make that stands beside another thing is a thing of its own. */
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
