import { getLexicon } from './lexicon.ts';
import type { Thing } from './lexicon-types.ts';

/** If a brand produces more than two kinds of a thing, the brand does not say which kind is meant. */
const MOST_NARROWED = 2;

const widerById = new Map<string, string[]>();

/** Returns the thing and all wider things, the nearest first. */
export function widerThings(id: string): string[] {
  const known = widerById.get(id);
  if (known !== undefined) return known;
  const { things } = getLexicon();
  const wider: string[] = [];
  for (let thing = things.get(id); thing !== undefined && !wider.includes(thing.id); ) {
    wider.push(thing.id);
    thing = thing.parent === null ? undefined : things.get(thing.parent);
  }
  widerById.set(id, wider);
  return wider;
}

export type Kinship = 'same' | 'near' | 'wider' | 'none';

/** How two kinds of thing are related. Only `none` contradicts a match. */
export function kinship(a: string, b: string): Kinship {
  if (a === b) return 'same';
  const { things } = getLexicon();
  const [left, right] = [things.get(a), things.get(b)];
  if (left === undefined || right === undefined) return 'none';
  if (left.near.has(b) || right.near.has(a)) return 'near';
  if (isSharedBy(a, b) || isSharedBy(b, a)) return 'wider';
  return 'none';
}

function isSharedBy(narrow: string, wide: string): boolean {
  return widerThings(narrow).includes(wide) && getLexicon().things.get(wide)?.isGroup === false;
}

/** A higher rank is a closer kinship. */
export const KINSHIP_RANK: Record<Kinship, number> = { same: 3, near: 2, wider: 1, none: 0 };

/** Returns the closest kinship between the possible meanings of one mention and those of another. */
export function closestKinship(a: string[], b: string[]): Kinship {
  let best: Kinship = 'none';
  for (const left of a) {
    for (const right of b) {
      const found = kinship(left, right);
      if (KINSHIP_RANK[found] > KINSHIP_RANK[best]) best = found;
    }
  }
  return best;
}

/** All things with an `of`, such as car keys, which are keys "of" a car. */
let thingsOf: Thing[] | null = null;

/**
 * Returns the thing that `head` "of" `modifier` means: "keys of a car" are car keys. Null if `head` keeps its meaning.
 */
export function composeThing(head: string[], modifier: string[]): string[] | null {
  const { things } = getLexicon();
  const narrower = modifier.filter((id) => head.some((wide) => wide !== id && widerThings(id).includes(wide)));
  if (narrower.length > 0) return narrower;
  if (head.every((id) => things.get(id)?.isForm) && modifier.some((id) => things.get(id)?.isNamed)) return modifier;
  const composed: string[] = [];
  thingsOf ??= [...things.values()].filter((thing) => thing.of.size > 0);
  for (const thing of thingsOf) {
    const isOfHead = head.some((id) => id !== thing.id && (widerThings(thing.id).includes(id) || thing.near.has(id)));
    const isOfModifier = modifier.some((id) => widerThings(id).some((wide) => thing.of.has(wide)));
    if (isOfHead && isOfModifier) composed.push(thing.id);
  }
  return composed.length > 0 ? composed : null;
}

/** Returns the narrower thing that a brand implies: keys of a Subaru are car keys, a CRDB card is a bank card. */
export function narrowByBrand(head: string[], brand: string): string[] | null {
  const makes = getLexicon().brands.get(brand)?.makes ?? [];
  if (makes.some((made) => head.includes(made))) return null;
  const narrowed = makes.filter((made) => head.some((id) => widerThings(made).includes(id)));
  return narrowed.length > 0 && narrowed.length <= MOST_NARROWED ? narrowed : null;
}

export function isMadeBy(thing: string[], brand: string): boolean {
  const makes = getLexicon().brands.get(brand)?.makes ?? [];
  return makes.some((made) => closestKinship(thing, [made]) !== 'none');
}

/** Whether the part belongs to something that the brand produces: a tyre belongs to a Toyota. */
export function isPartOfMake(part: string[], brand: string): boolean {
  const { brands, things } = getLexicon();
  const makes = brands.get(brand)?.makes ?? [];
  const isOf = (id: string): boolean =>
    makes.some((made) => widerThings(made).some((wide) => things.get(id)?.of.has(wide)));
  return part.some(isOf) || (composeThing(part, makes.slice(0, 1))?.some(isOf) ?? false);
}

/** Whether things of this kind usually contain other things, as bags and wallets do. */
export function isContainer(id: string): boolean {
  const { things } = getLexicon();
  return widerThings(id).some((wide) => things.get(wide)?.isContainer);
}

let families: Map<string, string> | null = null;

/**
 * Returns the id of the thing's family. A search by family also finds posts that name the thing by a vaguer or more
 * exact word.
 */
export function familyOf(id: string): string {
  families ??= findFamilies();
  return families.get(id) ?? id;
}

function firstOf(ids: ReadonlySet<string>, other: string): string {
  const [first = other] = ids;
  return first;
}

/**
 * Puts two things of things.txt into one family if `near` or `parent` links them, except if the link leads to a group.
 * A thing that is only in the lexicon's glossary joins only the family of the first thing in its `near`, so that its
 * other links do not merge families.
 */
function findFamilies(): Map<string, string> {
  const { things } = getLexicon();
  const leader = new Map<string, string>();
  const find = (id: string): string => {
    const next = leader.get(id) ?? id;
    return next === id ? id : find(next);
  };
  for (const thing of things.values()) {
    if (thing.isOfGlossary) continue;
    const kin = [...thing.near, ...(thing.parent === null ? [] : [thing.parent])];
    for (const other of kin) if (!things.get(other)?.isGroup) leader.set(find(thing.id), find(other));
  }
  return new Map([...things].map(([id, thing]) => [id, find(thing.isOfGlossary ? firstOf(thing.near, id) : id)]));
}
