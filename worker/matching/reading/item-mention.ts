import type { Sense } from '#worker/matching/lexicon/lexicon-types.ts';

/**
 * The role of a mentioned thing. `head`: the lost thing itself. `part`: a thing in or on the head. `context`: a thing
 * that says where the head was lost. `modifier`: a word for the head's kind, as "laptop" in "laptop bag". `absent`: a
 * part that the head lacks. `loose`: not yet decided.
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
