import i18next from 'i18next';
import { LANGUAGES } from '#contract/language.ts';
import { byLanguage } from '#web/lib/by-language.ts';

const texts = byLanguage(import.meta.glob<object>('#web/locales/*/ends.json', { eager: true, import: 'default' }));

/** Beside what shows them and not in the languages' own chunks: only who has a post ends it, or asks by a number. */
export function addEndsTexts(): void {
  for (const language of LANGUAGES) i18next.addResourceBundle(language, 'ends', texts[language]);
}
