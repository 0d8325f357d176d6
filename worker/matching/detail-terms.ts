import { phraseShapes } from '#worker/matching/words/tokens.ts';
import { getLexicon } from './lexicon/lexicon.ts';
import type { ConceptClass, PhraseNode } from './lexicon/lexicon-types.ts';
import type { Detail } from './reading/read-details.ts';
import type { PostReading } from './reading/read-post.ts';
import { consonantSkeleton } from './words/word-keys.ts';

/** How many parts of a thing get match terms. Somebody may have found only a part: the purse from a lost bag. */
const MOST_PARTS = 3;
const SHORTEST_VALUE = 2;
/** Only the first meanings of a word get terms: a post has a limited number of terms, and other details need some. */
const MOST_MEANINGS = 3;
const TELLING_CLASSES: readonly ConceptClass[] = ['mark', 'body', 'event', 'person'];
/** The order of the kinds of term, the rarest first. `word` is for makes and for words that are in no word list. */
const RANKS = { word: 0, thing: 1, quality: 2, other: 3 };

/**
 * Returns one term for each meaning of each detail, because a detail may be all that two posts about one thing share.
 * The first meanings of all details come first, then all second meanings.
 */
export function detailTerms({ details, parts, values }: PostReading): string[] {
  const meanings = details.map(meaningsOf).filter(({ length }) => length > 0);
  const sorted = meanings.sort(([a = ''], [b = '']) => rankOf(a) - rankOf(b));
  const turns = Array.from({ length: MOST_MEANINGS }, (_, turn) => sorted.flatMap((all) => all.slice(turn, turn + 1)));
  const figures = values.filter(({ slot, value }) => slot !== 'side' && value.length >= SHORTEST_VALUE);
  return [
    ...new Set([
      ...figures.map(({ value }) => `v:${value}`),
      ...parts.slice(0, MOST_PARTS).flatMap(({ ids }) => ids.slice(0, 1).map(thingTerm)),
      ...turns.flat(),
    ]),
  ];
}

export function thingTerm(id: string): string {
  return `^${id}`;
}

export function wordTerm(word: string): string {
  return `w:${word.slice(0, 1)}${consonantSkeleton(word.slice(1))}`;
}

function meaningsOf(detail: Detail): string[] {
  const colour = detail.find((key) => key.startsWith('colour '));
  if (colour !== undefined) return [colour];
  return [...new Set(detail.map(meaningOf).filter((term) => term !== null))].slice(0, MOST_MEANINGS);
}

function meaningOf(key: string): string | null {
  const space = key.indexOf(' ');
  const [kind, id] = [key.slice(0, space), key.slice(space + 1)];
  if (kind === 'word') return wordTerm(id);
  if (kind === 'thing') return thingTerm(nameOfThing(id));
  if (kind === 'concept') return meaningOfConcept(id);
  return kind === 'brand' || kind === 'attribute' ? key : null;
}

/**
 * Returns the id under which a thing appears in match terms. If only the lexicon's glossary contains the thing, returns
 * the id of another thing that the same word may mean (`near`), so that posts about either thing share a term.
 */
function nameOfThing(id: string): string {
  const thing = getLexicon().things.get(id);
  const [near] = thing?.isOfGlossary ? thing.near : [];
  return near ?? id;
}

const OF_GLOSSARY = /^g:/;
const termsOfConcepts = new Map<string, string>();

/**
 * Returns the match term of a concept. If a thing or an attribute in the lexicon has the same name, returns the term of
 * that thing or attribute, so that two posts share a term even if only one of them is read as the concept.
 */
function meaningOfConcept(id: string): string {
  let term = termsOfConcepts.get(id);
  if (term === undefined) {
    const [shape = []] = phraseShapes(id.replace(OF_GLOSSARY, ''), 'en');
    let node: PhraseNode | undefined = getLexicon().phrases;
    for (const word of shape) node = node?.next?.get(word);
    const senses = node?.senses ?? [];
    const named = senses.find(({ kind }) => kind === 'thing') ?? senses.find(({ kind }) => kind === 'attribute');
    term = named === undefined ? `concept ${id}` : (meaningOf(`${named.kind} ${named.id}`) ?? `concept ${id}`);
    termsOfConcepts.set(id, term);
  }
  return term;
}

function rankOf(term: string): number {
  if (term.startsWith('w:') || term.startsWith('brand ')) return RANKS.word;
  const { things, concepts } = getLexicon();
  if (term.startsWith('^')) {
    const thing = things.get(term.slice(1));
    return thing?.isContext || thing?.isCommon ? RANKS.quality : RANKS.thing;
  }
  if (term.startsWith('attribute ')) return RANKS.quality;
  if (term.startsWith('colour ')) return RANKS.other;
  const name = concepts.get(term.slice('concept '.length))?.class ?? 'other';
  return TELLING_CLASSES.includes(name) ? RANKS.thing : RANKS.other;
}
