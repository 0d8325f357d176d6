import type { Sense } from '#worker/matching/lexicon/lexicon-types.ts';

/**
 * What a thing that a post names has to do with the lost thing: it is that thing (`head`), is in it or on it (`part`),
 * where it was (`context`), says what sort it is (`modifier`), is said not to be there (`absent`), or none of these is
 * settled yet (`loose`).
 */
export type ItemRole = 'head' | 'part' | 'context' | 'modifier' | 'loose' | 'absent';

export type ItemMention = {
  /** The kinds of thing that the words may mean. */
  ids: string[];
  role: ItemRole;
  colours: Set<string>;
  brands: Set<string>;
  models: Set<string>;
  attributes: Set<string>;
  count: number | null;
  /** What it belongs to, where that makes no thing of its own: the tyre of a bicycle. */
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

/** All things that a post names. */
export function mentionsOf({
  heads,
  parts,
  setting,
}: Record<'heads' | 'parts' | 'setting', ItemMention[]>): ItemMention[] {
  return [...heads, ...parts, ...setting];
}

/** One known stretch of a field, with what it may be attached by. */
export type Element = {
  senses: Sense[];
  start: number;
  end: number;
  clause: number;
  item: ItemMention | null;
  /** What it is instead where it is no thing by itself: hair, a stone, a button. */
  feature: ItemMention | null;
};

export function sensesOf(element: Element | undefined, kind: Sense['kind']): string[] {
  return element?.senses.filter((sense) => sense.kind === kind).map((sense) => sense.id) ?? [];
}

export function hasWord(element: Element | undefined, role: string): boolean {
  return element?.senses.some((sense) => sense.kind === 'word' && sense.id === role) ?? false;
}
