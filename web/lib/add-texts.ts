import i18next from 'i18next';
import { LANGUAGES } from '#contract/language.ts';
import { byLanguage } from './by-language.ts';

/**
 * Adds the texts of screens that few visits open. They come with those screens and not with the languages' own chunks.
 * @param files each language's file of the namespace, as `import.meta.glob` finds them.
 */
export function addTexts(namespace: string, files: Record<string, object>): void {
  const texts = byLanguage(files);
  for (const language of LANGUAGES) i18next.addResourceBundle(language, namespace, texts[language]);
}
