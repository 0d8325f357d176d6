import { getLexicon } from '#worker/matching/lexicon/lexicon.ts';
import { KIND_BITS } from '#worker/matching/lexicon/lexicon-types.ts';
import { meaningsOf } from '#worker/matching/reading/annotate.ts';
import type { PostReading } from '#worker/matching/reading/read-post.ts';
import { isSameWord } from './compare-parts.ts';
import { type Evidence, NO_EVIDENCE, withoutReason } from './evidence.ts';

const OTHER_WRITING_POINTS = -1.1;
/**
 * Points if some words agree, but each post also has a word that the other post lacks: "Forever Lulu" and "Forever
 * Sam".
 */
const PARTLY_OTHER_POINTS = -0.7;
/**
 * Points for each word that both posts quote. An ordinary word such as "school" gets fewer points, as it is on many
 * things.
 */
const NAMING_POINTS = 0.3;
const ORDINARY_POINTS = 0.1;
const MOST_SHARED_POINTS = 0.5;
/**
 * Points if one post has initials and the other has a name that the initials do not fit. The deduction is small,
 * because a thing may have both on it.
 */
const OTHER_INITIALS_POINTS = -0.6;
/**
 * Points if the posts have different names, such as two airlines, and neither post says that its name is written on the
 * thing.
 */
const OTHER_PROPER_NAMES_POINTS = -0.6;
/** The fewest letters of a word that is compared as a name. */
const SHORTEST_NAME = 3;
/**
 * If the other post lacks a quoted word of at least this many letters, the word counts as a difference. A name counts
 * at any length.
 */
const SHORTEST_LEFT = 4;
/** Two posts rarely share a name of at least this many letters by chance. */
const SHORTEST_NAMING = 4;
/**
 * Initials fit a text if at least this share of the initials are first letters of its words. A person with three names
 * may write only two initials.
 */
const INITIALS_SHARE_MIN = 0.5;
/**
 * Kinds of word that name one thing among many: "KATA YA MIONO" and "KATA YA UBENA" are two wards, and only the names
 * differ.
 */
const NAMING_KINDS = KIND_BITS.place | KIND_BITS.brand | KIND_BITS.series;

/**
 * Compares the texts that are written on the things. Two texts contradict the match if they have no word in common.
 * They also contradict it if each has a name, or a word of at least SHORTEST_LEFT letters, that the other post lacks.
 */
export function compareWritings(lost: PostReading, found: PostReading): Evidence {
  const isWritten = lost.writing.length + found.writing.length > 0;
  const [left, right] = [inscriptionOf(lost), inscriptionOf(found)];
  if (!isWritten || left.length === 0 || right.length === 0) return compareProperNames(lost, found);
  const [ofLost, ofFound] = [missing(left, found), missing(right, lost)];
  const shared = [...left.filter((word) => !ofLost.includes(word)), ...right.filter((word) => !ofFound.includes(word))];
  if (shared.length === 0) return withoutReason(OTHER_WRITING_POINTS);
  const isLeft = (words: string[], post: PostReading): boolean =>
    words.some((word) => isNaming(word) || (word.length >= SHORTEST_LEFT && post.writing.includes(word)));
  if (!isLeft(ofLost, lost) || !isLeft(ofFound, found)) return compareShared(lost, found);
  return withoutReason(shared.some(isNaming) ? PARTLY_OTHER_POINTS : OTHER_WRITING_POINTS);
}

/** Returns evidence from words that both posts quote as written on the thing. */
function compareShared(lost: PostReading, found: PostReading): Evidence {
  const shared = lost.writing.filter((a) => found.writing.some((b) => isSameWord(a, b)));
  const points = shared.reduce(
    (sum, word) => sum + (isNaming(word) && word.length >= SHORTEST_NAMING ? NAMING_POINTS : ORDINARY_POINTS),
    0,
  );
  return withoutReason(Math.min(points, MOST_SHARED_POINTS));
}

/**
 * Returns negative evidence if the initials in one post do not fit the names in the other post, or if both posts have
 * proper names but none in common.
 */
function compareProperNames(lost: PostReading, found: PostReading): Evidence {
  const initials = compareInitials(lost, found);
  if (initials.points < 0) return initials;
  const [left, right] = [properNamesOf(lost), properNamesOf(found)];
  if (left.length === 0 || right.length === 0) return NO_EVIDENCE;
  const areOther = missing(left, found).length === left.length && missing(right, lost).length === right.length;
  return areOther ? withoutReason(OTHER_PROPER_NAMES_POINTS) : NO_EVIDENCE;
}

function properNamesOf(post: PostReading): string[] {
  const isPlace = (word: string): boolean => post.places.names.includes(word) || post.places.words.includes(word);
  const marks = post.marks.filter((word) => word.length >= SHORTEST_NAME && !/\d/.test(word) && !isPlace(word));
  return [...new Set([...inscriptionOf(post).filter(isNaming), ...marks])];
}

/** Returns the words that are written on the thing, and the names of persons in the post's title and description. */
function inscriptionOf(post: PostReading): string[] {
  const named = post.persons.filter(({ names }) => names.every((name) => post.text.includes(name)));
  const names = named.flatMap((person) => person.names).filter((name) => name.length >= SHORTEST_NAME);
  return [...new Set([...post.writing, ...names])];
}

function missing(words: string[], other: PostReading): string[] {
  const { text, makes, persons, places, identifiers, values } = other;
  const said = [...text, ...makes, ...persons.flatMap(({ names }) => names), ...places.names, ...places.words];
  const numbers = [...identifiers.map(({ folded }) => folded.toLowerCase()), ...values.map(({ value }) => value)];
  const isSaid = (word: string): boolean =>
    said.some((other) => isSameWord(word, other) || isCutOff(word, other) || isSameMeaning(word, other)) ||
    numbers.some((number) => number.startsWith(word));
  return words.filter((word) => !isSaid(word));
}

/** Whether one word is the beginning of the other, because the rest is cut off: "MV TUMAI..". */
function isCutOff(a: string, b: string): boolean {
  return Math.min(a.length, b.length) >= SHORTEST_LEFT && (a.startsWith(b) || b.startsWith(a));
}

/** Whether two words mean the same: one post quotes "Mabingwa", the other translates it as "champions". */
function isSameMeaning(a: string, b: string): boolean {
  const others = meaningsOf(b);
  return meaningsOf(a).some(
    ({ kind, id }) => kind !== 'word' && others.some((other) => other.kind === kind && other.id === id),
  );
}

function isNaming(word: string): boolean {
  const { names, vocabulary } = getLexicon();
  const kinds = vocabulary.get(word) ?? 0;
  return names.has(word) || kinds === 0 || (kinds & NAMING_KINDS) !== 0;
}

function areInitialsOf(letters: string, words: string[]): boolean {
  if (words.includes(letters)) return true;
  const begun = [...letters].filter((letter) => words.some((word) => word.startsWith(letter)));
  return begun.length >= letters.length * INITIALS_SHARE_MIN;
}

/** Returns negative evidence if the initials in one post do not fit the names in the other: S.K.M., "MZEE NGOSHA". */
function compareInitials(lost: PostReading, found: PostReading): Evidence {
  const isOther = (post: PostReading, other: PostReading): boolean => {
    const words = inscriptionOf(post);
    const initials = other.values.filter(({ slot }) => slot === 'initials').map(({ value }) => value);
    if (words.length === 0 || initials.length === 0) return false;
    return !initials.some((letters) => post.text.includes(letters) || areInitialsOf(letters, words));
  };
  return isOther(lost, found) || isOther(found, lost) ? withoutReason(OTHER_INITIALS_POINTS) : NO_EVIDENCE;
}
