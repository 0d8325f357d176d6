import { getLexicon } from '#worker/matching/lexicon/lexicon.ts';
import type { MatchablePost } from '#worker/matching/reading/read-post.ts';
import { knownForms, type Scope, wordAlternatives } from '#worker/matching/reading/word-alternatives.ts';
import { isConnective, isSilent } from '#worker/matching/words/phrase-tokens.ts';
import { tokenise } from '#worker/matching/words/tokenise.ts';
import { type Rate, rateOf } from './rates.ts';
import type { FixturePair } from './read-fixtures.ts';

/** Of all words that are no names and hold no digit, those that the lexicon knows, slips of the finger put right. */
export type Coverage = {
  /** Of titles and descriptions. */
  texts: Rate;
  /** Of locations, where an unknown word is a village more often than not. */
  locations: Rate;
  /** The unknown words of the texts, the most frequent first. */
  unknown: string[];
};

/** Letters. */
const SHORTEST_WORD = 3;

export function measureCoverage(pairs: readonly FixturePair[]): Coverage {
  const posts = pairs.flatMap(({ lost, found }) => [lost, found]);
  const texts = split(posts, ({ title, description }) => `${title}\n${description}`, 'text');
  const locations = split(posts, ({ location }) => location, 'location');
  return { texts: texts.rate, locations: locations.rate, unknown: byFrequency(texts.unknown) };
}

function split(posts: MatchablePost[], textOf: (post: MatchablePost) => string, scope: Scope) {
  const words = posts.flatMap((post) => tokenise(textOf(post)).map(({ text }) => text)).filter(isCounted);
  const unknown = words.filter((word) => !isKnown(word, scope));
  return { rate: rateOf(words.length - unknown.length, words.length), unknown };
}

function isCounted(word: string): boolean {
  return word.length >= SHORTEST_WORD && !/\d/.test(word) && !getLexicon().names.has(word);
}

function isKnown(word: string, scope: Scope): boolean {
  if (isSilent(word) || isConnective(word) || getLexicon().chat.has(word)) return true;
  return knownForms(word).length > 0 || wordAlternatives(word, scope).length > 0;
}

function byFrequency(words: string[]): string[] {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a).map(([word]) => word);
}
