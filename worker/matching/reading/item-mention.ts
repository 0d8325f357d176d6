import type { Sense } from '#worker/matching/lexicon/lexicon-types.ts';

/**
 * How a mentioned thing relates to the lost thing: it is the lost thing (`head`), in it or on it (`part`), where it was
 * lost (`context`), tells its kind, as "laptop" in "laptop bag" (`modifier`), is said to be missing from it (`absent`),
 * or not yet decided (`loose`).
 */
export type ItemRole = 'head' | 'part' | 'context' | 'modifier' | 'loose' | 'absent';

export type ItemMention = {
  /** The lexicon's ids of all things that the words may mean. */
  ids: string[];
  role: ItemRole;
  colours: Set<string>;
  brands: Set<string>;
  models: Set<string>;
  attributes: Set<string>;
  count: number | null;
  /**
   * What the thing belongs to: a bicycle, in "tyre of a bicycle". Empty if the lexicon has the whole phrase as one
   * thing, such as car keys.
   */
  of: Set<string>;
};

export function newItem(ids: string[], role: ItemRole): ItemMention {
  return {
    ids,
    role,
    colours: new Set(),
    brands: new Set(),
    models: new Set(),
    attributes: new Set(),
    count: null,
    of: new Set(),
  };
}

/** Returns all things that a post names. */
export function mentionsOf({
  heads,
  parts,
  setting,
}: Record<'heads' | 'parts' | 'setting', ItemMention[]>): ItemMention[] {
  return [...heads, ...parts, ...setting];
}

/** A known phrase in a field, the clause that contains it, and the mention made from it. */
export type Element = {
  senses: Sense[];
  start: number;
  end: number;
  clause: number;
  item: ItemMention | null;
  /** Used instead of `item` for something that is never lost alone: hair, a stone, a button. */
  feature: ItemMention | null;
};

export function sensesOf(element: Element | undefined, kind: Sense['kind']): string[] {
  return element?.senses.filter((sense) => sense.kind === kind).map((sense) => sense.id) ?? [];
}

export function hasWord(element: Element | undefined, role: string): boolean {
  return element?.senses.some((sense) => sense.kind === 'word' && sense.id === role) ?? false;
}
