import { DAY_MS, HOUR_MS } from '#contract/durations.ts';

/** Africa/Dar_es_Salaam has no daylight saving time. */
const AHEAD_OF_UTC_MS = 3 * HOUR_MS;

/** The day in Tanzania, counted from 1970. */
export function dayOf(now: number): number {
  return Math.floor((now + AHEAD_OF_UTC_MS) / DAY_MS);
}

/** The day in the form 2026-11-22. */
export function nameDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 'YYYY-MM-DD'.length);
}

/** When the day begins in Tanzania, in milliseconds. */
export function startOfDay(day: number): number {
  return day * DAY_MS - AHEAD_OF_UTC_MS;
}

/** When the day of `now` ends in Tanzania, in milliseconds. It also serves as the key of that day. */
export function endOfDay(now: number): number {
  return startOfDay(dayOf(now) + 1);
}
