import { CARDINALS } from './spoken-numbers.ts';

/** A sum of money, in figures or in Swahili words. */
const MONEY =
  /(?:\b(?:tsh|tzs|sh|shs|shilingi|tshs)\.?\s*\d[\d,.]*\s*(?:\/=|\/-)?|(?<![\d.,])\d{1,3}(?:[,.]\d{3})+(?!\d)(?:\/=|\/-)?|\b\d+\s*(?:\/=|\/-)|\b\d+\s*(?:tsh|tzs|shilingi|shillings|elfu|thousand|laki|million|milioni)\b|\b(?:elfu|laki)\s+(?:\d+|[a-z]+)(?:\s+(?:na\s+)?[a-z]+)?)/gi;

/** What the figures or the words are counted in; plain shillings without any of these. */
const UNITS: ReadonlyArray<{ word: RegExp; shillings: number }> = [
  { word: /laki/, shillings: 100_000 },
  { word: /mil/, shillings: 1_000_000 },
  { word: /elfu|thousand/, shillings: 1000 },
];
/** Shillings: figures for less are no money. */
const LEAST_AMOUNT = 500;

/** The sums of money in a text, in shillings, and the text with "pesa" in their place. */
export function readAmounts(text: string): { amounts: number[]; rest: string } {
  const amounts: number[] = [];
  const rest = text.replace(MONEY, (typed) => {
    const amount = readAmount(typed);
    if (amount === null) return typed;
    amounts.push(amount);
    return ' pesa ';
  });
  return { amounts, rest };
}

/** Null for figures that are no money. */
function readAmount(typed: string): number | null {
  const text = typed.toLowerCase();
  const unit = UNITS.find(({ word }) => word.test(text))?.shillings ?? 1;
  const digits = /\d[\d,.]*/.exec(text)?.[0].replace(/[,.](?=\d{3}(?!\d))/g, '');
  if (digits !== undefined) {
    const amount = Number.parseFloat(digits) * unit;
    return Number.isFinite(amount) && amount >= LEAST_AMOUNT ? amount : null;
  }
  const words = text.split(/\s+/).map((word) => CARDINALS[word] ?? 0);
  const sum = words.reduce((total, value) => total + value, 0);
  return sum > 0 ? sum * unit : null;
}
