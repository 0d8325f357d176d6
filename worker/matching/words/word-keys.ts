const VOWELS = 'aeiou';

/**
 * Returns a word's consonants in order, with equal neighbours merged: "ktmblsh" for "kitambulisho". The chat spelling
 * "ktmblsho" has the same consonants.
 */
export function consonantSkeleton(word: string): string {
  let skeleton = '';
  // A variable, because reading the last character of the growing string would copy the string each time.
  let last = '';
  for (const letter of word) {
    if (VOWELS.includes(letter) || letter === last) continue;
    skeleton += letter;
    last = letter;
  }
  return skeleton;
}

/** The low bits of a character code differ for each letter from a to z. */
const LETTER_MASK = 0b11111;

/** Returns the set of a word's letters as bits: a cheap test before computing an edit distance. */
export function letterBits(word: string): number {
  let bits = 0;
  for (let at = 0; at < word.length; at += 1) bits |= 1 << (word.charCodeAt(at) & LETTER_MASK);
  return bits;
}

export const VOWEL_BITS = letterBits(VOWELS);

/** False if the letters of two words differ too much for this many typing errors. `a` and `b` are `letterBits`. */
export function mayBeWithin(a: number, b: number, slips: number): boolean {
  return hasAtMost(slips, a & ~b) && hasAtMost(slips, b & ~a);
}

function hasAtMost(count: number, bits: number): boolean {
  let left = bits;
  for (let taken = 0; taken < count; taken += 1) left &= left - 1;
  return left === 0;
}

/** True if omitting letters turns `long` into `short`. */
export function isSubsequence(short: string, long: string): boolean {
  let index = 0;
  for (const letter of long) if (letter === short[index]) index += 1;
  return index === short.length;
}

const SOUNDS: ReadonlyArray<readonly [sound: RegExp, plain: string]> = [
  [/ph/g, 'f'],
  [/th|dh/g, 't'],
  [/kh|ck|q|x/g, 'k'],
  [/c(?=[eiy])/g, 's'],
  [/c(?!h)/g, 'k'],
  [/z/g, 's'],
  [/v/g, 'f'],
  [/w/g, 'u'],
  [/y/g, 'i'],
  [/l/g, 'r'],
  [/(?<!^)h/g, ''],
  [/(.)\1+/g, '$1'],
];

/** A key with more letters than this loses its final vowels, so that Hasan and Hasani get the same key. */
const LONGEST_WITH_LAST_VOWEL = 4;

/** Returns a key for how a name sounds in Swahili: Hassan = Hasani, Mohammed = Mohamedi, Elisabeth = Elizabeti. */
export function nameSoundKey(name: string): string {
  let key = name;
  for (const [sound, plain] of SOUNDS) key = key.replace(sound, plain);
  return key.length > LONGEST_WITH_LAST_VOWEL ? key.replace(/(?<![aeiou])[aeiou]+$/, '') : key;
}

/**
 * Returns a stricter key than `nameSoundKey`, for two names that are both in `names.txt`. Unifies only spellings such
 * as "ph" and "f", and drops silent and doubled letters.
 */
export function nameSpellingKey(name: string): string {
  return name
    .replace(/ph/g, 'f')
    .replace(/th/g, 't')
    .replace(/y/g, 'i')
    .replace(/(?<!^)h/g, '')
    .replace(/(.)\1+/g, '$1');
}

/**
 * Returns a coarser key than `nameSoundKey`, for index look-ups: the first letter of that key and the consonants after
 * this letter.
 */
export function nameLookupKey(name: string): string {
  const key = nameSoundKey(name);
  return key.slice(0, 1) + consonantSkeleton(key.slice(1));
}
