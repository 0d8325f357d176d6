import { getLexicon } from '#worker/matching/lexicon/lexicon.ts';
import { widerThings } from '#worker/matching/lexicon/thing-relations.ts';
import type { Reason } from '#worker/matching/lexicon/word-reasons.ts';
import type { ItemMention } from './reading/item-mention.ts';
import {
  familiesOf,
  generalTerm,
  isOfItself,
  NAMED,
  nameTerm,
  placeTerm,
  type Quality,
  qualitiesOf,
  qualityTerm,
  someTerm,
  thingTerm,
  titledTerm,
} from './search-terms.ts';

/** One requirement of a search: a thing, colour, place, name, identifier or word. `sayings` are the ways to meet it. */
export type SearchedPart = {
  sayings: Saying[];
  /**
   * A post with one of these terms, such as another colour, contradicts this part of the search, unless the post also
   * meets one of the `sayings`.
   */
  bars: string[];
  /** Whether a post must meet this requirement to be listed in the part `meaning` of the results. */
  isNeeded: boolean;
  /**
   * Whether a post must meet this requirement to be listed in the part `near`: the posts that are only similar to what
   * is searched for.
   */
  isNeededNear: boolean;
  /** True for the things that are searched for. A post in the part `near` must mention at least one of them. */
  isThing: boolean;
};

/**
 * A way in which a post may meet one requirement of a search: the post has the term or, with `isWord`, the post's text
 * contains `term` as a word. With `isNear`, the term is only similar to what is searched for.
 */
export type Saying = { term: string; reason: Reason; isNear?: true; isWord?: true };

export function saying(term: string, reason: Reason): Saying {
  return { term, reason };
}

let nearOf: Map<string, string[]> | null = null;

function nearThings(id: string): string[] {
  const { things } = getLexicon();
  if (nearOf === null) {
    nearOf = new Map();
    for (const thing of things.values()) {
      for (const other of thing.near) {
        nearOf.set(other, [...(nearOf.get(other) ?? []), thing.id]);
        nearOf.set(thing.id, [...(nearOf.get(thing.id) ?? []), other]);
      }
    }
  }
  return [...new Set(nearOf.get(id) ?? [])];
}

export function sayingsOfThings(ids: string[]): Saying[] {
  const { things } = getLexicon();
  const reasonOf = (id: string): Reason => ({ kind: 'item', key: `thing ${id}` });
  const same = ids.flatMap((id) => (things.get(id)?.isOfGlossary ? [id, ...(things.get(id)?.near ?? [])] : [id]));
  const wider = ids.flatMap((id) => widerThings(id).slice(1)).filter((id) => things.get(id)?.isGroup === false);
  return [
    ...[...new Set(same)].map((id) => saying(thingTerm(id), reasonOf(id))),
    ...wider.map((id) => ({ ...saying(generalTerm(id), reasonOf(id)), isNear: true as const })),
    ...ids.flatMap(nearThings).map((id) => ({ ...saying(thingTerm(id), reasonOf(id)), isNear: true as const })),
    ...ids.map((id) => ({ ...saying(titledTerm(id), reasonOf(id)), isNear: true as const })),
  ];
}

export function sayingOfPlace(id: string): Saying {
  return saying(placeTerm(id), { kind: 'place', text: getLexicon().places.get(id)?.name ?? id });
}

export function sayingOfName(name: string): Saying {
  return saying(nameTerm(name), { kind: 'name', text: capitalise(name) });
}

function sayingsOfQuality(kind: Quality, id: string, of: string | null): Saying[] {
  if (kind === 'colour') return sayingsOfColour(id, of);
  const term = qualityTerm(kind, id, of);
  if (kind === 'make') return [saying(term, { kind: 'brand', text: nameOfMake(id) })];
  if (kind === 'model') return [saying(term, { kind: 'detail', text: id.toUpperCase() })];
  return [saying(term, { kind: 'detail', key: `attribute ${id}` })];
}

function nameOfMake(id: string): string {
  return [...getLexicon().brands.keys()].find((brand) => brand.toLowerCase() === id) ?? capitalise(id);
}

/** Returns the colour and similar ones, because two people may call one colour by different names. */
export function sayingsOfColour(id: string, of: string | null): Saying[] {
  const { colours } = getLexicon();
  const around = [...colours.values()].flatMap((other) => {
    const isNear = other.near.has(id) || colours.get(id)?.near.has(other.id) || colours.get(id)?.parent === other.id;
    if (other.id !== id && other.parent !== id && !isNear) return [];
    const told = saying(qualityTerm('colour', other.id, of), { kind: 'colour', key: `colour ${other.id}` });
    return [isNear ? { ...told, isNear: true as const } : told];
  });
  return around;
}

export function capitalise(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** A search ignores names with fewer letters than this. A shorter ordinary word is found only as a whole word. */
export const SHORTEST = 3;

export function part(sayings: Saying[], isNeeded: boolean, bars: string[] = []): SearchedPart {
  return { sayings, bars, isNeeded, isNeededNear: false, isThing: false };
}

/**
 * Returns the part of a search that requires a name. A name that is not in `names.txt` is also searched as an ordinary
 * word.
 */
export function partOfName(name: string): SearchedPart {
  if (getLexicon().names.has(name)) return part([sayingOfName(name)], true, [NAMED]);
  const asWord: Saying = { term: ` ${name} `, reason: { kind: 'name', text: capitalise(name) }, isWord: true };
  return part([sayingOfName(name), asWord], true);
}

export function partsOfQualities(item: ItemMention, isAnchored: boolean): SearchedPart[] {
  const families = familiesOf(item.ids);
  const isTied = item.ids.length > 0 && isAnchored;
  return qualitiesOf(item).map(([kind, id]) => {
    const sayings = (isTied ? families : [null]).flatMap((of) => sayingsOfQuality(kind, id, of));
    const isBarring = (isAnchored || item.ids.length > 0) && isOfItself(item, kind, id);
    return part(sayings, !isAnchored, isBarring ? families.map((of) => someTerm(kind, of)) : []);
  });
}

export function partOfNumber(terms: string[], text: string, isNeeded: boolean): SearchedPart {
  const bars = terms.filter((term) => term.startsWith('some '));
  const said = terms.filter((term) => !bars.includes(term));
  return part(
    said.map((term) => saying(term, { kind: 'number', text: text.toUpperCase() })),
    isNeeded,
    bars,
  );
}

export function wordSaying(word: string): Saying {
  const term = word.length < SHORTEST ? ` ${word} ` : word;
  return { term, reason: { kind: 'detail', text: word }, isWord: true };
}

export function partOfWord(word: string): SearchedPart {
  return part([wordSaying(word)], true);
}
