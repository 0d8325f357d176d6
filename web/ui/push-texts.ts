import i18next from 'i18next';
import { LANGUAGES } from '#contract/language.ts';
import { byLanguage } from '#web/lib/by-language.ts';

const texts = byLanguage(import.meta.glob<object>('#web/locales/*/push.json', { eager: true, import: 'default' }));

/** Beside what shows them and not in the languages' own chunks: most visits show none. */
export function addPushTexts(): void {
  for (const language of LANGUAGES) i18next.addResourceBundle(language, 'push', texts[language]);
}
