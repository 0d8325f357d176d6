import type { PostKind } from '#contract/kinds.ts';
import { partsOf, recombine } from '#tests/bench/matching/crowd-posts.ts';
import { readSet } from '#tests/bench/matching/read-fixtures.ts';
import { valuesOf } from '#worker/matching/find-candidates.ts';
import { indexTerms } from '#worker/matching/index-terms.ts';
import { readKind } from '#worker/matching/reading/read-kind.ts';
import { encodeReading, type MatchablePost, readPost } from '#worker/matching/reading/read-post.ts';
import { type Meaning, meaningOf } from '#worker/matching/search-terms.ts';
import { type SearchTexts, searchTextsOf } from '#worker/posts/search-texts.ts';

/**
 * Derived from each written post. People who lose similar things in similar places write similar posts, so these
 * represent any number.
 */
const MADE_OF_EACH = 20;
const SOME_COMMUNITY = 'some-community';

export type MadePost = {
  post: MatchablePost;
  kind: PostKind;
  /** The searchable texts of a public post, and of a community's. */
  texts: { open: SearchTexts; inside: SearchTexts };
  /** The matching's reading. */
  terms: string[];
  reading: string;
  agreeable: string;
  /** What a search by meaning finds. */
  meaning: Meaning;
};

/**
 * Creates realistic posts: each combines one of the pairs that measure the matching with another's place, other names
 * and its own numbers. The reading is the original post's, because reading each one would take too long.
 */
export function makePosts(random: () => number): MadePost[] {
  const written = readSet([]).flatMap(({ lost, found }) => [lost, found]);
  const all = partsOf(written);
  return all.patterns.flatMap((pattern) => {
    const reading = readPost(pattern.post);
    const kind = readKind(reading);
    const read = {
      terms: [...new Set(indexTerms(reading))],
      reading: encodeReading(reading),
      agreeable: JSON.stringify(valuesOf(reading)),
      meaning: meaningOf(pattern.post, reading),
    };
    return Array.from({ length: MADE_OF_EACH }, () => {
      const post = recombine({ ...all, patterns: [pattern] }, random);
      const texts = { open: searchTextsOf(post, kind, null), inside: searchTextsOf(post, kind, SOME_COMMUNITY) };
      return { post, kind, texts, ...read };
    });
  });
}
