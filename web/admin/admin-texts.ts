import i18next from 'i18next';
import { LANGUAGES } from '#contract/language.ts';
import { byLanguage } from '#web/lib/by-language.ts';

const texts = byLanguage(import.meta.glob<object>('#web/locales/*/admin.json', { eager: true, import: 'default' }));

/** Beside the screen and not in the languages' own chunks: only a platform admin loads these texts. */
export function addAdminTexts(): void {
  for (const language of LANGUAGES) i18next.addResourceBundle(language, 'admin', texts[language]);
}
