const VOWELS = 'aeiou';

/** The consonants, in order: what is left when a hurried writer drops the vowels ("ktmblsho", "pchi"). */
export function consonantSkeleton(word: string): string {
  let skeleton = '';
  // Reading the end of the string that grows would copy it each time.
  let last = '';
  for (const letter of word) {
    if (VOWELS.includes(letter) || letter === last) continue;
    skeleton += letter;
    last = letter;
  }
  return skeleton;
}

/** The low bits of a character's code tell one letter from another. */
const LETTER_MASK = 0b11111;

/** Which letters a word has, one bit each: two words that differ in many need no closer look. */
export function letterBits(word: string): number {
  let bits = 0;
  for (let at = 0; at < word.length; at += 1) bits |= 1 << (word.charCodeAt(at) & LETTER_MASK);
  return bits;
}

export const VOWEL_BITS = letterBits(VOWELS);

/** False when one of the two words has more letters that the other has not than so many slips can bring in. */
export function mayBeWithin(a: number, b: number, slips: number): boolean {
  return hasAtMost(slips, a & ~b) && hasAtMost(slips, b & ~a);
}

function hasAtMost(count: number, bits: number): boolean {
  let left = bits;
  for (let taken = 0; taken < count; taken += 1) left &= left - 1;
  return left === 0;
}

/** True when `short` can be had from `long` by leaving letters out. */
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

/** Of a longer name the last vowels are dropped: Hasan, Hasani. */
const LONGEST_WITH_LAST_VOWEL = 4;

/** How a name sounds to a Swahili ear: Hassan = Hasani, Mohammed = Mohamedi, Elisabeth = Elizabeti. */
export function nameSoundKey(name: string): string {
  let key = name;
  for (const [sound, plain] of SOUNDS) key = key.replace(sound, plain);
  return key.length > LONGEST_WITH_LAST_VOWEL ? key.replace(/(?<![aeiou])[aeiou]+$/, '') : key;
}

/** The milder form, for two names that both stand in the list: only doubled and silent letters are forgiven. */
export function nameSpellingKey(name: string): string {
  return name
    .replace(/ph/g, 'f')
    .replace(/th/g, 't')
    .replace(/y/g, 'i')
    .replace(/(?<!^)h/g, '')
    .replace(/(.)\1+/g, '$1');
}

/** A coarser key for looking up: first letter and the consonants after it. */
export function nameLookupKey(name: string): string {
  const key = nameSoundKey(name);
  return key.slice(0, 1) + consonantSkeleton(key.slice(1));
}
