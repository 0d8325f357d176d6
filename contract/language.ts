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
