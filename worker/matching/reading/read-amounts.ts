import { numberOf, SPELT_NUMBER } from './spoken-numbers.ts';

/** What stands for how many shillings. */
const UNITS: Readonly<Record<string, number>> = {
  elfu: 1000,
  thousand: 1000,
  laki: 100_000,
  million: 1_000_000,
  milioni: 1_000_000,
};
const UNIT = Object.keys(UNITS).join('|');
/** Those that stand before their number in Swahili: "elfu 20", "laki mbili", "elfu kumi na tano". */
const UNIT_FIRST = 'elfu|laki|milioni';
const CURRENCY = 'tsh|tshs|tzs|sh|shs|shilingi';
const COUNTED = `(?:${UNIT_FIRST})\\s(?:\\d+(?:[.,]\\d+)?|${SPELT_NUMBER}(?:\\sna\\s${SPELT_NUMBER})*)`;

/** A sum of money: with its currency or the sign behind it, in groups of three, with its unit behind it or before it. */
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
/** Shillings: figures for less are no money. */
const LEAST_AMOUNT = 500;

/** The sums of money in a text, in shillings, and the text with "pesa" in their place. */
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

/** "Laki mbili na elfu hamsini" is one sum. */
function readAmount(typed: string): number {
  const parts = typed.split(NEXT_PART);
  return parts.reduce((sum, part) => sum + countOf(part) * (UNITS[ONE_UNIT.exec(part)?.[0] ?? ''] ?? 1), 0);
}

function countOf(part: string): number {
  const figures = /\d[\d,.]*/.exec(part)?.[0].replace(/[,.](?=\d{3}(?!\d))/g, '');
  return figures === undefined ? numberOf(part) : Number.parseFloat(figures.replace(',', '.'));
}
