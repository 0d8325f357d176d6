import i18next from 'i18next';
import { LANGUAGES } from '#contract/language.ts';
import { byLanguage } from '#web/lib/by-language.ts';

const texts = byLanguage(import.meta.glob<object>('#web/locales/*/settings.json', { eager: true, import: 'default' }));

/** Beside the screens that show them and not in the languages' own chunks: few visits open one. */
export function addSettingsTexts(): void {
  for (const language of LANGUAGES) i18next.addResourceBundle(language, 'settings', texts[language]);
}
