import { DAY_MS, HOUR_MS } from '#contract/durations.ts';
import { getLexicon } from '#worker/matching/lexicon/lexicon.ts';
import { tokenise } from '#worker/matching/words/tokens.ts';

/** The first and the last day that a post's text may mean, in days since 1 January 1970 in Dar es Salaam. */
export type DayRange = { first: number; last: number };

/** East Africa Time has no daylight saving. */
const OFFSET_MS = 3 * HOUR_MS;
const DAYS_OF_WEEK = 7;
/** 1 January 1970 was a Thursday: weekday 4, if Sunday is weekday 0. */
const FIRST_WEEKDAY = 4;
const DAYS_OF_MONTH = 31;
const MONTHS = 12;
/**
 * How many days to look back for a day of the month. Even the last 31st is within this time, because two consecutive
 * months never both lack a 31st.
 */
const TWO_MONTHS = 2 * DAYS_OF_MONTH;
/** The fewest letters of a word that is read as a weekday: "mon" and "sun" often mean something else. */
const SHORTEST_WEEKDAY = 4;
const CENTURY = 2000;
const YEARS_OF_CENTURY = 100;
const NUMERIC = /(?<![\d/.-])(\d{1,2})[/.-](\d{1,2})(?:[/.-](\d{2,4}))?(?![\d/])/g;
const DAY_ONLY = /\b(?:tarehe|tar|trh|date)\.?\s?(\d{1,2})\b/;
const MONTH_BEFORE = /\b([a-z]{3,9})\s(\d{1,2})(?:st|nd|rd|th)?\b/g;
const MONTH_AFTER = /\b(\d{1,2})(?:st|nd|rd|th)?\s(?:of\s|mwezi\swa\s)?([a-z]{3,9})\b/g;

function dayNumber(ms: number): number {
  return Math.floor((ms + OFFSET_MS) / DAY_MS);
}

/**
 * Returns the day on which the thing was lost or found; null if the text names none.
 * @param writtenAtMs when the post was written: "yesterday" is the day before.
 */
export function readDay(text: string, writtenAtMs: number): DayRange | null {
  const today = dayNumber(writtenAtMs);
  return readCalendarDay(text.toLowerCase(), today) ?? readSpokenDay(text, today);
}

function readCalendarDay(text: string, today: number): DayRange | null {
  for (const [, day, month, year] of text.matchAll(NUMERIC)) {
    const found = lastSuchDay(Number(day), Number(month), year, today);
    if (found !== null) return { first: found, last: found };
  }
  for (const pattern of [MONTH_BEFORE, MONTH_AFTER]) {
    for (const [, left = '', right = ''] of text.matchAll(pattern)) {
      const [word, day] = pattern === MONTH_BEFORE ? [left, right] : [right, left];
      const month = wordValue(word, 'month');
      const found = month === null ? null : lastSuchDay(Number(day), month, undefined, today);
      if (found !== null) return { first: found, last: found };
    }
  }
  const dayOnly = DAY_ONLY.exec(text)?.[1];
  return dayOnly === undefined ? null : dayOfMonth(Number(dayOnly), today);
}

function readSpokenDay(text: string, today: number): DayRange | null {
  const words = tokenise(text).map((token) => token.text);
  for (const word of words) {
    const ago = wordValue(word, 'days ago');
    if (ago !== null) return { first: today - ago, last: today - ago };
  }
  for (const word of words) {
    const weekday = word.length >= SHORTEST_WEEKDAY ? wordValue(word, 'weekday') : null;
    if (weekday === null) continue;
    const weekdayToday = (today + FIRST_WEEKDAY) % DAYS_OF_WEEK;
    const last = today - ((weekdayToday - weekday + DAYS_OF_WEEK) % DAYS_OF_WEEK);
    return { first: last - DAYS_OF_WEEK, last };
  }
  return null;
}

function wordValue(word: string, role: string): number | null {
  const senses = getLexicon().phrases.next?.get(word)?.senses ?? [];
  const sense = senses.find((candidate) => candidate.kind === 'word' && candidate.id.startsWith(`${role} `));
  return sense === undefined ? null : Number(sense.id.slice(role.length + 1));
}

function lastSuchDay(day: number, month: number, year: string | undefined, today: number): number | null {
  if (day < 1 || day > DAYS_OF_MONTH || month < 1 || month > MONTHS) return null;
  if (year !== undefined) {
    const full = Number(year) < YEARS_OF_CENTURY ? CENTURY + Number(year) : Number(year);
    return Math.floor(Date.UTC(full, month - 1, day) / DAY_MS);
  }
  const thisYear = new Date(today * DAY_MS).getUTCFullYear();
  const inThisYear = Math.floor(Date.UTC(thisYear, month - 1, day) / DAY_MS);
  return inThisYear <= today + 1 ? inThisYear : Math.floor(Date.UTC(thisYear - 1, month - 1, day) / DAY_MS);
}

function dayOfMonth(day: number, today: number): DayRange | null {
  if (day < 1 || day > DAYS_OF_MONTH) return null;
  for (let candidate = today; candidate > today - TWO_MONTHS; candidate -= 1) {
    if (new Date(candidate * DAY_MS).getUTCDate() === day) return { first: candidate, last: candidate };
  }
  return null;
}
