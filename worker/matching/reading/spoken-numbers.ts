/** Numbers in words, in both languages, with the forms that agree with a noun: wawili is two (people). */
const ONES: Record<string, number> = {
  moja: 1,
  mmoja: 1,
  mbili: 2,
  wawili: 2,
  mawili: 2,
  viwili: 2,
  miwili: 2,
  tatu: 3,
  watatu: 3,
  matatu: 3,
  vitatu: 3,
  mitatu: 3,
  nne: 4,
  wanne: 4,
  manne: 4,
  vinne: 4,
  minne: 4,
  tano: 5,
  watano: 5,
  matano: 5,
  vitano: 5,
  mitano: 5,
  sita: 6,
  saba: 7,
  nane: 8,
  wanane: 8,
  manane: 8,
  tisa: 9,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
};
const HALVES: Record<string, number> = { half: 0.5, nusu: 0.5 };
const TENS: Record<string, number> = {
  kumi: 10,
  ishirini: 20,
  thelathini: 30,
  arobaini: 40,
  arubaini: 40,
  hamsini: 50,
  sitini: 60,
  sabini: 70,
  themanini: 80,
  tisini: 90,
  mia: 100,
  ten: 10,
  eleven: 11,
  twelve: 12,
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  seventy: 70,
  eighty: 80,
  ninety: 90,
  hundred: 100,
};
/** Ordinals are read only after a noun ("darasa la pili", "form two"): in "second hand" there is no number. */
const ORDINALS: Record<string, number> = {
  kwanza: 1,
  pili: 2,
  first: 1,
  second: 2,
  third: 3,
  fourth: 4,
  fifth: 5,
  i: 1,
  ii: 2,
  iii: 3,
  iv: 4,
  v: 5,
  vi: 6,
  vii: 7,
};

const ones = Object.keys({ ...ONES, ...HALVES }).join('|');
const tens = Object.keys(TENS).join('|');

/** Matches one number in words; `numberOf` reads the match. */
const SPELT_NUMBER = `(?:(?:${tens})(?:\\s(?:na\\s)?(?:${ones}))?|${ones})`;

/** Matches a number in words or in digits. */
export const NUMBER = `(?:\\d+(?:[.,]\\d+)?|${SPELT_NUMBER})`;

/** Matches a number or an ordinal. For use after a noun only (see `ORDINALS`). */
export const NUMBER_OR_ORDINAL = `(?:${NUMBER}|${Object.keys(ORDINALS).join('|')})`;

/** @param said a match of `NUMBER` or `NUMBER_OR_ORDINAL`, in lower case. */
export function numberOf(said: string): number {
  if (/^\d/.test(said)) return Number.parseFloat(said.replace(',', '.'));
  const words = said.split(/\s+/);
  return words.reduce((sum, word, at) => sum + worthOf(word, words[at - 1]), 0);
}

/** Returns the value of one word. After "mia" (100) a digit multiplies: "mia tano" is 500, "mia na tano" is 105. */
function worthOf(word: string, before: string | undefined): number {
  const worth = ONES[word] ?? TENS[word] ?? HALVES[word] ?? ORDINALS[word] ?? 0;
  return before === 'mia' && word in ONES ? (worth - 1) * 100 : worth;
}

/** Words for thousands and millions of shillings. */
const UNITS: Readonly<Record<string, number>> = {
  elfu: 1000,
  thousand: 1000,
  laki: 100_000,
  million: 1_000_000,
  milioni: 1_000_000,
};
const UNIT = Object.keys(UNITS).join('|');
/** In Swahili these units precede their number: "elfu 20", "laki mbili", "elfu kumi na tano". */
const UNIT_FIRST = 'elfu|laki|milioni';
const CURRENCY = 'tsh|tshs|tzs|sh|shs|shilingi';
const COUNTED = `(?:${UNIT_FIRST})\\s(?:\\d+(?:[.,]\\d+)?|${SPELT_NUMBER}(?:\\sna\\s${SPELT_NUMBER})*)`;

/** Matches a sum of money: with a currency or "/=", with thousands separators, or with a unit such as "elfu". */
const MONEY = new RegExp(
  [
    `\\b(?:${CURRENCY})\\.?\\s?\\d[\\d,.]*\\s?(?:/=|/-|(?:${UNIT})\\b)?`,
    '(?<![\\d.,])\\d{1,3}(?:[,.]\\d{3})+(?!\\d)(?:/=|/-)?',
    '\\b\\d+\\s?(?:/=|/-)',
    `(?<![\\d.,])\\d+(?:[.,]\\d+)?\\s?(?:tsh|tzs|shilingi|shillings|${UNIT})\\b`,
    `\\b${COUNTED}(?:\\sna\\s${COUNTED})*\\b`,
  ].join('|'),
  'gi',
);
const NEXT_PART = new RegExp(`\\sna\\s(?=${UNIT_FIRST})`);
const ONE_UNIT = new RegExp(UNIT);
/** The smallest sum of money, in shillings. A smaller number is probably not a price. */
const LEAST_AMOUNT = 500;

/** Returns the sums of money in a text, in shillings, and the text with "pesa" (money) instead of them. */
export function readAmounts(text: string): { amounts: number[]; rest: string } {
  const amounts: number[] = [];
  const rest = text.replace(MONEY, (typed) => {
    const amount = readAmount(typed.toLowerCase());
    if (!Number.isFinite(amount) || amount < LEAST_AMOUNT) return typed;
    amounts.push(amount);
    return ' pesa ';
  });
  return { amounts, rest };
}

/** Adds the parts of one sum: "laki mbili na elfu hamsini" is 250,000. */
function readAmount(typed: string): number {
  const parts = typed.split(NEXT_PART);
  return parts.reduce((sum, part) => sum + countOf(part) * (UNITS[ONE_UNIT.exec(part)?.[0] ?? ''] ?? 1), 0);
}

function countOf(part: string): number {
  const figures = /\d[\d,.]*/.exec(part)?.[0].replace(/[,.](?=\d{3}(?!\d))/g, '');
  return figures === undefined ? numberOf(part) : Number.parseFloat(figures.replace(',', '.'));
}
