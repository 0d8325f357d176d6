export type Token = {
  /** The text in lower case, without diacritics and apostrophes. */
  text: string;
  /** The text as typed. */
  raw: string;
  isCapital: boolean;
  /** The punctuation and line breaks between this token and the previous one; '' for spaces only. */
  gap: string;
};

const WORD = /[\p{L}\p{M}\p{N}]+(?:['’‘`´][\p{L}\p{N}]+)*/gu;

export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/['’‘`´]s\b/g, '')
    .replace(/['’‘`´]/g, '');
}

/**
 * Replaces each run of white space by one line break or one space. The regular expressions in `reading/` can then
 * match a single white-space character. If they matched repeated white space, a long run would take cubic time.
 */
export function foldSpace(text: string): string {
  return text.replace(/\s+/g, (run) => (run.includes('\n') ? '\n' : ' '));
}

export function tokenise(text: string): Token[] {
  const tokens: Token[] = [];
  let end = 0;
  for (const match of text.matchAll(WORD)) {
    const raw = match[0];
    const folded = foldText(raw);
    const gap = text.slice(end, match.index).replace(/[^\S\n]+/g, '');
    end = match.index + raw.length;
    if (folded !== '') tokens.push({ text: folded, raw, isCapital: /^\p{Lu}/u.test(raw), gap });
  }
  return tokens;
}

/** The language of a phrase; 'any' for names, such as those of brands and places. */
export type Lang = 'en' | 'sw' | 'any';

/**
 * Replaces every connective, such as "cha" or "of". Phrases that differ only in the connective thus become equal:
 * "cheti cha ndoa" and "cheti ya ndoa".
 */
const OF = 'ya';
const CONNECTIVES = new Set(['ya', 'la', 'cha', 'za', 'wa', 'vya', 'pa', 'of', 'for']);

/** Words that do not change the meaning of a phrase: articles, possessives, demonstratives. */
const SILENT = new Set(
  (
    'the a an my his her our your their yangu langu changu zangu wangu vyangu yake lake chake zake wake vyake ' +
    'yako lako chako zako wako yetu letu chetu zetu wetu yao lao chao zao wao hii hiki hili hizi hivi huyu huu hawa ' +
    'yenu lenu chenu zenu wenu'
  ).split(' '),
);

export function isConnective(word: string): boolean {
  return CONNECTIVES.has(word);
}

export function isSilent(word: string): boolean {
  return SILENT.has(word);
}

export function phraseWord(word: string): string {
  return CONNECTIVES.has(word) ? OF : word;
}

/**
 * English phrases of up to three words are also stored reversed, "house key" as "key of house". Nobody reverses longer
 * ones.
 */
const LONGEST_TURNED_PHRASE = 3;

const PLAIN = /^[a-z0-9]+(?: [a-z0-9]+)*$/;

/** Splits a phrase of the lexicon into words, in the same form as the words of posts. */
function phraseTokens(phrase: string): string[] {
  const sign = phrase.startsWith('-') || phrase.startsWith('*') ? phrase.charAt(0) : '';
  // Splits plain phrases only at their spaces. Tokenising thousands of phrases would slow the first request down.
  const plain = phrase.slice(sign.length).toLowerCase();
  const split = PLAIN.test(plain) ? plain.split(' ') : tokenise(phrase).map((token) => token.text);
  const words = split.map(phraseWord);
  const spoken = words.filter((word) => !SILENT.has(word));
  const [first = '', ...rest] = spoken.length > 0 ? spoken : words;
  return [sign + first, ...rest];
}

/** Returns the phrase and its other usual form: "kadi benki" for "kadi ya benki", "key of house" for "house key". */
export function phraseShapes(phrase: string, lang: Lang): string[][] {
  const words = phraseTokens(phrase);
  const shapes = [words];
  const isJoined = words.includes(OF);
  if (lang === 'sw' && isJoined && words.length > 2) shapes.push(words.filter((word) => word !== OF));
  if (lang === 'en' && !isJoined && words.length > 1 && words.length <= LONGEST_TURNED_PHRASE) {
    shapes.push([words.at(-1) ?? '', OF, ...words.slice(0, -1)]);
  }
  return shapes;
}
