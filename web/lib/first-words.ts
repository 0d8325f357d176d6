import { LANGUAGES, type Language } from '#contract/language.ts';
import en from '#web/locales/en/first-words.json';
import sw from '#web/locales/sw/first-words.json';
import { guessLanguage } from './guess-language.ts';

/** In both languages at hand: what is sent is read by somebody else than who chose this app's language. */
const SENTENCES: Record<Language, string> = { en: en.whatsapp, sw: sw.whatsapp };

/**
 * What a message to whoever posted begins with: a sentence in the language they wrote in, or one in each where that
 * cannot be told.
 * @param written all that is at hand of their own words.
 */
export function firstWords(title: string, written: string): string {
  const guessed = guessLanguage(written);
  const languages = guessed ? [guessed] : LANGUAGES;
  return languages.map((language) => SENTENCES[language].replace('{title}', () => title)).join('\n');
}
