import i18next from 'i18next';
import { LANGUAGES } from '#contract/language.ts';
import { byLanguage } from '#web/lib/by-language.ts';

const texts = byLanguage(import.meta.glob<object>('#web/locales/*/claims.json', { eager: true, import: 'default' }));

/** Beside the screens and not in the languages' own chunks: most visits have nothing to do with a claim. */
export function addClaimsTexts(): void {
  for (const language of LANGUAGES) i18next.addResourceBundle(language, 'claims', texts[language]);
}
