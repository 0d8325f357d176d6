import { LANGUAGES } from '#contract/language.ts';
import { byLanguage } from './by-language.ts';
import { guessLanguage } from './guess-language.ts';

/** What makes two people write to each other: a post that one of them saw, or a claim that both have read. */
export type Occasion = 'post' | 'claim';

/** In every language at hand: what is sent is read by somebody else than who chose this app's language. */
const sentences = byLanguage(
  import.meta.glob<Record<Occasion, string>>('#locales/*/outside/first-words.json', { eager: true, import: 'default' }),
);

/**
 * What a message to somebody begins with: a sentence in the language they wrote in, or one in each where that cannot
 * be told.
 * @param written all that is at hand of their own words.
 */
export function firstWords(title: string, written: string, occasion: Occasion): string {
  const guessed = guessLanguage(written);
  const languages = guessed ? [guessed] : LANGUAGES;
  return languages.map((language) => sentences[language][occasion].replace('{title}', () => title)).join('\n');
}
