import type { PostKind } from '#contract/posts.ts';
import { type Parts, partsOf, recombine } from '#tests/bench/matching/crowd-posts.ts';
import { readSet } from '#tests/bench/matching/read-fixtures.ts';
import { randomFrom } from '#tests/bench/matching/synthetic-posts.ts';
import { valuesOf } from '#worker/matching/competition.ts';
import { indexTerms } from '#worker/matching/index-terms.ts';
import { encodeReading } from '#worker/matching/reading/encode-reading.ts';
import { readKind } from '#worker/matching/reading/read-kind.ts';
import { type MatchablePost, readPost } from '#worker/matching/reading/read-post.ts';

/** A post that others are made of, with what the matching has read in it. */
type Model = { parts: Parts; kind: PostKind; terms: string[]; reading: string; agreeable: string };

export type MadePost = Omit<Model, 'parts'> & { post: MatchablePost };

/**
 * Posts as people write them: each is one of the pairs that the matching is measured by, with another's place, the names of
 * others and numbers of its own. What the matching reads is that of the post it was made of: reading a million takes an hour.
 */
export function makePosts(seed: number): () => MadePost {
  const random = randomFrom(seed);
  const written = readSet([]).flatMap(({ lost, found }) => [lost, found]);
  const all = partsOf(written);
  const models = all.patterns.map((pattern) => modelOf({ ...all, patterns: [pattern] }, pattern.post));
  return () => {
    const { parts, ...read } = models[Math.floor(models.length * random())] as Model;
    return { ...read, post: recombine(parts, random) };
  };
}

function modelOf(parts: Parts, post: MatchablePost): Model {
  const reading = readPost(post);
  return {
    parts,
    kind: readKind(reading),
    terms: [...new Set(indexTerms(reading))],
    reading: encodeReading(reading),
    agreeable: JSON.stringify(valuesOf(reading)),
  };
}
