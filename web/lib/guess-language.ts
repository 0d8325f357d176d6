import { LANGUAGES, type Language } from '#contract/language.ts';
import { byLanguage } from './by-language.ts';

const words = byLanguage(import.meta.glob<RegExp>('#locales/*/words.ts', { eager: true, import: 'commonWords' }));

/** The language that the text is written in, or null where that cannot be told simply: too few words, or of several. */
export function guessLanguage(text: string): Language | null {
  const folded = text.toLowerCase();
  const counts = LANGUAGES.map((language) => ({ language, count: folded.match(words[language])?.length ?? 0 }));
  const most = Math.max(...counts.map(({ count }) => count));
  const [guess, ...others] = counts.filter(({ count }) => count === most);
  return guess && others.length === 0 ? guess.language : null;
}
