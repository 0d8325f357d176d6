import { getLexicon } from '#worker/matching/lexicon/lexicon.ts';
import { type Token, tokenise } from '#worker/matching/words/tokens.ts';
import { SHORTEST_WITH_SLIP } from '#worker/matching/words/word-index.ts';
import { annotate, knownForms, wordAlternatives } from './reading/annotate.ts';
import { type Element, type ItemMention, sensesOf } from './reading/item-mention.ts';
import { readIdentifiers } from './reading/read-identifiers.ts';
import { readMeasures } from './reading/read-measures.ts';
import { readNames } from './reading/read-names.ts';
import { isRoad, placesAround } from './reading/read-places.ts';
import { readField, resolveThings, thingsNamed } from './reading/read-post.ts';
import { readValues } from './reading/read-values.ts';
import {
  capitalise,
  part,
  partOfName,
  partOfNumber,
  partOfWord,
  partsOfQualities,
  type SearchedPart,
  SHORTEST,
  saying,
  sayingOfName,
  sayingOfPlace,
  sayingsOfColour,
  sayingsOfThings,
  wordSaying,
} from './search-parts.ts';
import { qualityTerm, storedTerm, termsOfIdentifier, termsOfMeasure, termsOfValue, thingTerm } from './search-terms.ts';

const MOST_PARTS = 20;
const MOST_SAYINGS = 30;
/** A search for a make alone finds only this many kinds of thing that the make produces, the best known first. */
const MOST_MADE = 2;

/**
 * Splits a typed search into its parts: things, colours, places, names and words. The terms are in their stored form.
 * Returns null if no part narrows the search, because all words are unknown or too general.
 */
export function readSearch(typed: string): SearchedPart[] | null {
  const { rest, names, unknown } = setAside(typed);
  const numbered = readIdentifiers(rest);
  const field = readField(numbered.rest, 'title', null);
  const { unnamed, all, makes } = resolveThings(field, readField('', 'description', null));
  const { tokens, elements } = field;
  const said = elements.flatMap((element) => thingOf(element, tokens, SAYING_ROLES));
  // In "missing keyboard" the keyboard is absent, but still the thing to search for.
  const things = said.length > 0 ? said : elements.flatMap((element) => thingOf(element, tokens, ['absent']));
  const { places, others } = resolvePlaces(elements, tokens);
  const named = all.filter(({ role }) => SAYING_ROLES.includes(role));
  const items = named.includes(unnamed) ? named : [unnamed, ...named];
  const implied = things.some(({ isThing }) => isThing) ? [] : impliedThing(unnamed);
  const isAnchored = things.length + places.length > 0;
  const numbers = [
    ...numbered.identifiers.map((identifier) => ({
      terms: termsOfIdentifier(identifier),
      text: identifier.tail,
      isThing: true,
    })),
    ...readValues(numbered.rest, numbered.rest.toLowerCase()).map((value) => ({
      terms: termsOfValue(value),
      text: value.value,
      isThing: false,
    })),
    ...readMeasures(numbered.rest.toLowerCase()).map((measure) => ({
      terms: termsOfMeasure(measure, 1),
      text: String(measure.value),
      isThing: false,
    })),
  ].filter(({ terms }) => terms.length > 0);
  const called = [...names, ...field.persons.flatMap((person) => person.names)];
  const persons = called.filter((name) => name.length >= SHORTEST);
  const qualities = items.flatMap((item) => partsOfQualities(item, isAnchored));
  const read = [
    ...things,
    ...(places.length > 0 ? implied : implied.map((part) => ({ ...part, isNeeded: false }))),
    ...places,
    ...[...new Set(persons)].map(partOfName),
    ...qualities,
    ...makes.map((make) =>
      part([saying(qualityTerm('make', make), { kind: 'brand', text: capitalise(make) })], !isAnchored),
    ),
    ...numbers.map(({ terms, text, isThing }) => ({ ...partOfNumber(terms, text, !isAnchored), isThing })),
  ];
  if (!read.some(({ isNeeded }) => isNeeded)) return null;
  const figures = numbers.flatMap(({ text, terms }) => [text, ...terms]);
  const words = [...unknown, ...others, ...unknownWords(elements, tokens, figures, items)];
  return [
    ...read,
    ...[...new Set(words)].map(partOfWord),
    ...partOfTitle(field, things),
    ...elements.flatMap(partsSaidBesides),
  ]
    .slice(0, MOST_PARTS)
    .map(({ sayings, bars, ...rest }) => ({
      ...rest,
      sayings: sayings.slice(0, MOST_SAYINGS).map((one) => (one.isWord ? one : { ...one, term: storedTerm(one.term) })),
      bars: bars.map(storedTerm),
    }));
}

/**
 * Removes from the text the single words that mean only a person's name, and short unknown words. Otherwise `readField`
 * could mistake them for other words.
 */
function setAside(typed: string): { rest: string; names: string[]; unknown: string[] } {
  const { names: known, phrases, chat } = getLexicon();
  const tokens = tokenise(typed);
  const { taken } = readNames(tokens);
  const [names, unknown, rest]: [string[], string[], Token[]] = [[], [], []];
  for (const { start, end } of annotate(tokens, 'text', taken)) {
    const [token] = tokens.slice(start, end);
    if (token === undefined || end - start > 1) continue;
    const { text } = token;
    if (known.has(text) && (phrases.next?.get(text)?.senses.length ?? 0) === 0) names.push(text);
    else if (
      text.length < SHORTEST_WITH_SLIP &&
      !chat.has(text) &&
      knownForms(text).length === 0 &&
      wordAlternatives(text, 'text').length > 0
    )
      unknown.push(text);
    else continue;
    taken.add(-1 - start);
  }
  tokens.forEach((token, at) => {
    if (!taken.has(-1 - at)) rest.push(token);
  });
  return {
    rest: rest
      .map(({ gap, raw }) => `${gap === '-' || gap === '/' || gap === '.' ? gap : `${gap} `}${raw}`)
      .join('')
      .trim(),
    names,
    unknown,
  };
}

const SAYING_ROLES: readonly ItemMention['role'][] = ['head', 'part', 'loose', 'context'];

/**
 * Returns the requirement that an element (a word or phrase) adds to the search if the element names a thing. A word
 * with several meanings stands for all of them: "orange" finds an orange and anything of that colour.
 */
function thingOf(element: Element, tokens: Token[], roles: readonly ItemMention['role'][]): SearchedPart[] {
  const { item, senses, start, end } = element;
  if (item === null || !roles.includes(item.role)) return [];
  const isWord = end - start === 1;
  const capital = tokens[start]?.isCapital ?? false;
  const others = isWord
    ? senses.flatMap(({ kind, id }) => {
        if (kind === 'colour') return sayingsOfColour(id, null);
        if (kind === 'brand') return [saying(qualityTerm('make', id.toLowerCase()), { kind: 'brand', text: id })];
        return kind === 'place' && capital ? [sayingOfPlace(id)] : [];
      })
    : [];
  return [{ ...part([...sayingsOfThings(item.ids), ...others], true), isThing: item.role !== 'context' }];
}

/**
 * Returns a requirement for things that words of the search may mean besides the `things`. A post about one of these
 * things is listed only in the part `near` of the results (`isNear`).
 */
function partOfTitle(field: ReturnType<typeof readField>, things: SearchedPart[]): SearchedPart[] {
  const known = new Set(things.flatMap(({ sayings }) => sayings.map(({ term }) => term)));
  const { things: all } = getLexicon();
  // In "charger of a phone" the phone is not searched for.
  const owned = new Set(
    field.elements.flatMap(({ item }) => item?.ids ?? []).flatMap((id) => [...(all.get(id)?.of ?? [])]),
  );
  const ids = thingsNamed(field).filter((id) => !known.has(thingTerm(id)) && !owned.has(id) && !all.get(id)?.isContext);
  const sayings = sayingsOfThings(ids).map((saying) => ({ ...saying, isNear: true as const }));
  return things.length === 0 || sayings.length === 0 ? [] : [{ ...part(sayings, false), isThing: true }];
}

/**
 * Returns a requirement for the things that a make produces, if the search names only the make: "Tecno" stands for
 * phones.
 */
function impliedThing({ brands, ids }: ItemMention): SearchedPart[] {
  const made = [...brands].flatMap((brand) => getLexicon().brands.get(brand)?.makes.slice(0, MOST_MADE) ?? []);
  return ids.length === 0 ? [] : [{ ...part(sayingsOfThings([...new Set([...ids, ...made])]), true), isThing: true }];
}

/**
 * Returns the places of a search. If several places have one name, and the search also names an unambiguous place, only
 * those inside the unambiguous place remain. Names of roads, and names for which no place remains, become `others`,
 * which are searched as words.
 */
function resolvePlaces(elements: Element[], tokens: Token[]): { places: SearchedPart[]; others: string[] } {
  const { names } = getLexicon();
  const others: string[] = [];
  const mentions = elements.flatMap((element) => {
    const { item, start, end } = element;
    const [token] = tokens.slice(start, end);
    if (item !== null || token === undefined) return [];
    const ids = outermost(placesNamed(element, token));
    if (ids.length === 0) return [];
    if (!isRoad(tokens, start, end)) return [{ ids, words: tokens.slice(start, end).map(({ text }) => text) }];
    others.push(token.text);
    return [];
  });
  const sure = mentions.flatMap(({ ids }) => (ids.length === 1 ? ids : []));
  const places = mentions.flatMap(({ ids, words }) => {
    const inside = ids.filter((id) => sure.some((other) => placesAround(id).includes(other)));
    if (ids.length > 1 && sure.length > 0 && inside.length === 0) {
      others.push(...words);
      return [];
    }
    const meant = ids.length > 1 && inside.length > 0 ? inside : ids;
    const called = words.length === 1 && names.has(words[0] ?? '') ? words : [];
    // A school may be the place of the thing, or only the issuer of a card. Therefore a post in the part `near` of the
    // results need not mention the school.
    const isInstitution = meant.every((id) => getLexicon().places.get(id)?.isInstitution);
    const asWords = isInstitution ? words.map((word) => wordSaying(word)) : [];
    const sayings = [...meant.map(sayingOfPlace), ...called.map(sayingOfName), ...asWords];
    return [{ ...part(sayings, true), isNeededNear: !isInstitution }];
  });
  return { places, others };
}

function placesNamed(element: Element, token: Token): string[] {
  if (element.senses.some(({ kind }) => kind === 'word')) return [];
  const known = sensesOf(element, 'place');
  if (known.length > 0 || element.senses.length > 0) return known;
  const isMendable = token.text.length >= SHORTEST_WITH_SLIP && !getLexicon().names.has(token.text);
  const [mended] = isMendable ? annotate([token], 'location') : [];
  return mended?.senses.filter(({ kind }) => kind === 'place').map(({ id }) => id) ?? [];
}

/** Keeps the larger place if a town and its region have the same name. */
function outermost(ids: string[]): string[] {
  return ids.filter((id) => !ids.some((other) => other !== id && placesAround(id).includes(other)));
}

/** Returns the words that are in no word list, without digits that belong to an identifier or a model. */
function unknownWords(elements: Element[], tokens: Token[], figures: string[], items: ItemMention[]): string[] {
  const models = items.flatMap((item) => [...item.models]);
  return elements.flatMap((element) => {
    const { senses, start, end } = element;
    const [token] = tokens.slice(start, end);
    const isSeries = senses.length > 0 && senses.every(({ kind }) => kind === 'series');
    if (token === undefined || (senses.length > 0 && !isSeries) || placesNamed(element, token).length > 0) return [];
    const digits = token.text.replace(/\D+/g, '');
    // In "2 keys" the number is a count.
    if (/^\d{1,2}$/.test(token.text)) return [];
    const isNumber = digits !== '' && [...figures, ...models].some((figure) => figure.includes(digits));
    return isNumber || models.includes(`series ${token.text}`) ? [] : [token.text];
  });
}

/**
 * Returns a requirement for an element that the lexicon knows only as an attribute or concept. A post need not meet
 * this requirement, but a post that meets it ranks higher. Materials and sizes are omitted (see `partsOfQualities`).
 */
function partsSaidBesides({ senses, item }: Element): SearchedPart[] {
  const isReadOtherwise = senses.some(({ kind }) => ['word', 'colour', 'brand', 'place', 'number'].includes(kind));
  if (item !== null || isReadOtherwise) return [];
  const said = senses.filter(({ kind }) => kind === 'attribute' || kind === 'concept');
  const isCompared = (id: string) => ['material', 'size'].includes(getLexicon().attributes.get(id)?.group ?? '');
  if (said.length === 0 || said.some(({ kind, id }) => kind === 'attribute' && isCompared(id))) return [];
  return [
    part(
      said.map(({ kind, id }) => saying(`said ${id}`, { kind: 'detail', key: `${kind} ${id}` })),
      false,
    ),
  ];
}
