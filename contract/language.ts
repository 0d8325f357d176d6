/** The supported languages by code, with their own name and the locale for dates and numbers. */
const NAMES = {
  en: { name: 'English', locale: 'en-GB' },
  sw: { name: 'Kiswahili', locale: 'sw-TZ' },
};

export type Language = keyof typeof NAMES;
export const LANGUAGES = Object.keys(NAMES) as Language[];
export const FALLBACK_LANGUAGE: Language = 'en';

export function isLanguage(value: unknown): value is Language {
  return LANGUAGES.some((language) => language === value);
}

export function nameOf(language: Language): string {
  return NAMES[language].name;
}

export function localeOf(language: Language): string {
  return NAMES[language].locale;
}

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['week', 7 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** Formats an age, such as 3 hours ago or saa 3 zilizopita; within a minute: now or sasa hivi. */
export function formatAgeIn(language: Language, iso: string, now: number): string {
  const seconds = Math.round((new Date(iso).getTime() - now) / 1000);
  const format = new Intl.RelativeTimeFormat(localeOf(language), { numeric: 'auto' });
  for (const [unit, size] of UNITS) {
    if (Math.abs(seconds) >= size) return format.format(Math.trunc(seconds / size), unit);
  }
  return format.format(0, 'second');
}
