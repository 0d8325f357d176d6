import { LANGUAGES } from '#contract/language.ts';
import { byLanguage } from './by-language.ts';
import { addNamespace } from './translate.ts';

/**
 * Adds the texts of screens that few visits open. They come with those screens and not with the languages' own chunks.
 * @param files each language's file of the namespace, as `import.meta.glob` finds them.
 */
export function addTexts(namespace: string, files: Record<string, object>): void {
  const texts = byLanguage(files);
  for (const language of LANGUAGES) addNamespace(language, namespace, texts[language]);
}
