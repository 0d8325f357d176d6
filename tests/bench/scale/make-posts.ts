import type { PostKind } from '#contract/posts.ts';
import { partsOf, recombine } from '#tests/bench/matching/crowd-posts.ts';
import { readSet } from '#tests/bench/matching/read-fixtures.ts';
import { valuesOf } from '#worker/matching/competition.ts';
import { indexTerms } from '#worker/matching/index-terms.ts';
import { encodeReading } from '#worker/matching/reading/encode-reading.ts';
import { readKind } from '#worker/matching/reading/read-kind.ts';
import { type MatchablePost, readPost } from '#worker/matching/reading/read-post.ts';
import { type SearchTexts, searchTextsOf } from '#worker/posts/search-texts.ts';

/** Made of each written post; who lost the like in the like place writes the like, so that these stand for any number. */
const MADE_OF_EACH = 20;
const SOME_COMMUNITY = 'some-community';

export type MadePost = {
  post: MatchablePost;
  kind: PostKind;
  /** What searches look through: of a public post, and of a community's. */
  texts: { open: SearchTexts; inside: SearchTexts };
  /** What the matching has read. */
  terms: string[];
  reading: string;
  agreeable: string;
};

/**
 * Posts as people write them: each is one of the pairs that the matching is measured by, with another's place, the names of
 * others and numbers of its own. What the matching has read is that of the post it was made of: to read them takes too long.
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
    };
    return Array.from({ length: MADE_OF_EACH }, () => {
      const post = recombine({ ...all, patterns: [pattern] }, random);
      const texts = { open: searchTextsOf(post, kind, null), inside: searchTextsOf(post, kind, SOME_COMMUNITY) };
      return { post, kind, texts, ...read };
    });
  });
}
