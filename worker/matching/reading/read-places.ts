import { getLexicon } from '#worker/matching/lexicon/lexicon.ts';
import { KIND_BITS } from '#worker/matching/lexicon/lexicon-types.ts';
import { isConnective, isSilent, type Token } from '#worker/matching/words/tokens.ts';
import { type Annotation, annotate, isBreak, knownForms, meaningsOf } from './annotate.ts';

/** An unknown word of a location with fewer letters is not compared with the other post's words. */
const SHORTEST_NAMING_WORD = 3;
/** A word with fewer letters is not read as a name. */
const SHORTEST_NAME = 5;
/**
 * Words that are in the names of many places. Two places that share only "mjini" are different: Moshi mjini and Iringa
 * mjini.
 */
const COMMON_IN_NAMES =
  /^(?:mjini|vijijini|mkoa|wilaya|region|district|municipal|salaam|city|town|north|south|east|west|urban|rural|mwisho|kaskazini|kusini|mashariki|magharibi|moravian|lutheran|catholic|anglican|kkkt|sabato|kikatoliki)$/;

const RIDES = /^(?:bus|daladala|basi|gari|hiace|noah|coaster)$/;
const STOPS = /^(?:stand|stands|stendi|station|stop|stage|terminal|park|office|offices)$/;

/** One mention of a place: the ids of all places with that name. */
export type PlaceMention = string[];

export type PlaceReading = {
  /** The location field is not empty. */
  isGiven: boolean;
  /** Places where the location field says the thing was lost or found. Only these can contradict a match. */
  said: PlaceMention[];
  /** Places named elsewhere in the post: a route, a school, a bus's destination. */
  named: PlaceMention[];
  /** Words of the location that are in no word list. */
  words: string[];
  /** The places in `said` that were read after correcting a typing error. */
  guessed: string[];
  /** All words of the location that may be names. */
  names: string[];
};

export function readLocation(tokens: Token[]): PlaceReading {
  const said: PlaceMention[] = [];
  const named: PlaceMention[] = [];
  const words: string[] = [];
  const guessed: string[] = [];
  const rides: PlaceMention[] = [];
  for (const { start, end, senses } of annotate(tokens, 'location')) {
    const places = senses.filter((sense) => sense.kind === 'place').map((sense) => sense.id);
    if (places.length > 0) {
      const list = isRoad(tokens, start, end) ? named : isRide(tokens, start, end) ? rides : said;
      list.push(places);
      if (tokens.slice(start, end).some(({ text }) => !isPlaceWord(text))) guessed.push(...places);
    } else if (!senses.some((sense) => sense.kind === 'word')) {
      for (const token of tokens.slice(start, end))
        if (isDistinctive(token.text) || isUsedAsName(token)) words.push(token.text);
    }
  }
  // A bus's destination alone is not where the thing was lost or found: "gari ya Makunduchi" (the Makunduchi bus). But
  // "Dar to Mbeya bus" names both ends of a route, and the place may be anywhere between them, so both are used.
  (said.length + rides.length > 1 ? said : named).push(...rides);
  const names = tokens.map(({ text }) => text).filter((word) => word.length >= SHORTEST_NAME && isNameOfPlace(word));
  return { isGiven: tokens.length > 0, said: resolvePlaces(said), named, words, guessed, names };
}

/** Whether the place's name is part of a road's name: "Kilwa Road" is in Dar es Salaam and not in Kilwa. */
export function isRoad(tokens: Token[], start: number, end: number): boolean {
  if (/^(?:road|rd|highway)$/.test(tokens[end]?.text ?? '') && !isBreak(tokens[end])) return true;
  return /^(?:barabara|njia)$/.test(tokens[start - 2]?.text ?? '') && isConnective(tokens[start - 1]?.text ?? '');
}

/**
 * Whether the place is a bus's destination: "basi la Makunduchi" (the Makunduchi bus). In "Makunduchi bus stand" it is
 * not a destination, but the town in which the stand is.
 */
function isRide(tokens: Token[], start: number, end: number): boolean {
  const [word, next] = [tokens[end], tokens[end + 1]];
  if (word !== undefined && RIDES.test(word.text) && !isBreak(word))
    return next === undefined || isBreak(next) || !STOPS.test(next.text);
  return RIDES.test(tokens[start - 2]?.text ?? '') && isConnective(tokens[start - 1]?.text ?? '');
}

/**
 * Returns the places named in a text. A name must be capitalised, have several words, or follow "in", "at" or another
 * place.
 */
export function readNamedPlaces(tokens: Token[], annotations: Annotation[]): PlaceMention[] {
  const named: PlaceMention[] = [];
  annotations.forEach((annotation, index) => {
    const places = annotation.senses.filter((sense) => sense.kind === 'place').map((sense) => sense.id);
    if (places.length === 0) return;
    const before = annotations[index - 1];
    const isDue = before?.senses.some((sense) => sense.id === 'locative' || sense.kind === 'place') ?? false;
    const isLonger = annotation.end - annotation.start > 1;
    const isName = tokens[annotation.start]?.isCapital ?? false;
    if (isName || isDue || isLonger) named.push(places);
  });
  return named;
}

/**
 * Whether the word, without any correction, is part of a place's name. Connectives ("of") count, because long names
 * contain them.
 */
function isPlaceWord(word: string): boolean {
  return isConnective(word) || isSilent(word) || ((getLexicon().vocabulary.get(word) ?? 0) & KIND_BITS.place) !== 0;
}

/** Whether the word is the name of a place (Kilombero), not of a kind of place (stendi). */
function isNameOfPlace(word: string): boolean {
  const kinds = getLexicon().vocabulary.get(word);
  if (COMMON_IN_NAMES.test(word)) return false;
  return kinds === undefined ? isDistinctive(word) : kinds === KIND_BITS.place;
}

/**
 * Whether a capitalised word is a name. Majimaji (a stadium) is a name, although "maji" is water. "Stendi" and "Market"
 * are not names.
 */
function isUsedAsName({ text, isCapital }: Token): boolean {
  if (!isCapital || text.length < SHORTEST_NAME || isConnective(text) || isSilent(text)) return false;
  const { concepts, things } = getLexicon();
  return !meaningsOf(text).some(
    ({ kind, id }) =>
      kind === 'word' ||
      kind === 'place' ||
      (kind === 'thing' && things.get(id)?.isContext) ||
      concepts.get(id)?.class === 'place',
  );
}

function isDistinctive(word: string): boolean {
  return word.length >= SHORTEST_NAMING_WORD && !isConnective(word) && !isSilent(word) && knownForms(word).length === 0;
}

/**
 * If several places have one name, keeps only the places that lie in another place that the post names: "Majengo,
 * Moshi".
 */
function resolvePlaces(mentions: PlaceMention[]): PlaceMention[] {
  const sure = mentions.filter((mention) => mention.length === 1).flat();
  return mentions
    .map((mention) => {
      if (mention.length === 1) return mention;
      const inside = mention.filter((id) => sure.some((other) => placesAround(id).includes(other)));
      // The lexicon has no Majengo in Mtwara, so in "Majengo, Mtwara" the mention of Majengo is dropped.
      return inside.length > 0 || sure.length > 0 ? inside : mention;
    })
    .filter((mention) => mention.length > 0);
}

/** Returns the place and all places that contain it, the smallest first. */
export function placesAround(id: string): string[] {
  const { places } = getLexicon();
  const around: string[] = [];
  for (let place = places.get(id); place !== undefined && !around.includes(place.id); ) {
    around.push(place.id);
    place = place.parent === null ? undefined : places.get(place.parent);
  }
  return around;
}

export function regionOf(id: string): string {
  return placesAround(id).at(-1) ?? id;
}
