import { formatAgeIn, localeOf } from '#contract/language.ts';
import { currentLanguage } from './i18n.ts';

const TIME_ZONE = 'Africa/Dar_es_Salaam';

function locale(): string {
  return localeOf(currentLanguage());
}

/** Formats a date, such as 21 November 2026 or 21 Novemba 2026. */
export function formatDate(iso: string, language = currentLanguage()): string {
  return new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long', timeZone: TIME_ZONE }).format(new Date(iso));
}

/** Formats a day, such as 2026-11-22, as Sun 22 Nov or Jumapili, 22 Nov. */
export function formatDay(day: string): string {
  return new Intl.DateTimeFormat(locale(), {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  }).format(new Date(day));
}

/** @param time as ISO 8601 or in milliseconds. */
export function formatDateTime(time: string | number): string {
  return new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeStyle: 'short', timeZone: TIME_ZONE }).format(
    new Date(time),
  );
}

/** Whether the time is on the current calendar day in Tanzania. */
export function isToday(iso: string, now = Date.now()): boolean {
  const { format } = new Intl.DateTimeFormat('en-CA', { timeZone: TIME_ZONE });
  return format(new Date(iso)) === format(now);
}

/**
 * Formats how long ago a time was, such as "3 hours ago" or "saa 3 zilizopita". Less than a minute ago is "now" or
 * "sasa hivi".
 */
export function formatAge(iso: string, now = Date.now()): string {
  return formatAgeIn(currentLanguage(), iso, now);
}

/** Formats a number as the user's language writes it. */
export function formatNumber(number: number): string {
  return new Intl.NumberFormat(localeOf(currentLanguage())).format(number);
}
