import { LANGUAGES } from '#contract/language.ts';
import { byLanguage } from './by-language.ts';
import { guessLanguage } from './guess-language.ts';

/** In every language at hand: what is sent is read by somebody else than who chose this app's language. */
const sentences = byLanguage(
  import.meta.glob<string>('#web/locales/*/first-words.json', { eager: true, import: 'whatsapp' }),
);

/**
 * What a message to whoever posted begins with: a sentence in the language they wrote in, or one in each where that
 * cannot be told.
 * @param written all that is at hand of their own words.
 */
export function firstWords(title: string, written: string): string {
  const guessed = guessLanguage(written);
  const languages = guessed ? [guessed] : LANGUAGES;
  return languages.map((language) => sentences[language].replace('{title}', () => title)).join('\n');
}
