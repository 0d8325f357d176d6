import { getLexicon } from '#worker/matching/lexicon/lexicon.ts';
import { knownForms, type Scope, wordAlternatives } from '#worker/matching/reading/annotate.ts';
import type { MatchablePost } from '#worker/matching/reading/read-post.ts';
import { isConnective, isSilent, tokenise } from '#worker/matching/words/tokens.ts';
import { type Rate, rateOf } from './rates.ts';
import type { FixturePair } from './read-fixtures.ts';

/** The share of words that the lexicon knows, after correcting typos, without names and words with digits. */
export type Coverage = {
  /** In titles and descriptions. */
  texts: Rate;
  /** In locations, where an unknown word usually is a village. */
  locations: Rate;
  /** The unknown words of the texts, most frequent first. */
  unknown: string[];
};

/** In letters. */
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
