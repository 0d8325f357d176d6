import { closestKinship, composeThing, narrowByBrand, widerThings } from '#worker/matching/lexicon/thing-relations.ts';
import type { ItemMention } from './item-mention.ts';

/** Later mentions of the same thing ("the phone is black") give what they say to the first. */
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

/** "Tools: pliers and a screwdriver": what is listed is in the thing named first, and none of it is that thing. */
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

/** A vague head becomes exact by what else the post says: keys, and further down a Subaru. */
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
