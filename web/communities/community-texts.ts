import i18next from 'i18next';
import { LANGUAGES } from '#contract/language.ts';
import { byLanguage } from '#web/lib/by-language.ts';

const texts = byLanguage(import.meta.glob<object>('#web/locales/*/community.json', { eager: true, import: 'default' }));

/** Beside the screens of one community and not in the languages' own chunks: most visits open none. */
export function addCommunityTexts(): void {
  for (const language of LANGUAGES) i18next.addResourceBundle(language, 'community', texts[language]);
}
