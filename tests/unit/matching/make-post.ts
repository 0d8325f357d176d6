import type { Aspect } from '#worker/matching/judging/evidence.ts';
import { judgePair, weighPair } from '#worker/matching/judging/match-rules.ts';
import { wordReason } from '#worker/matching/lexicon/word-reasons.ts';
import type { MatchablePost, PostReading } from '#worker/matching/reading/read-post.ts';
import { readPost } from '#worker/matching/reading/read-post.ts';

/** 10 November 2026, a Tuesday, at noon in Dar es Salaam. */
export const WRITTEN_AT = Date.UTC(2026, 10, 10, 9);

/** Makes a post from a text such as `title | description | location | owner's name`. */
export function makePost(side: string, postedBy: MatchablePost['posted_by'] = 'owner'): MatchablePost {
  const [title = '', description = '', location = '', owner = ''] = side.split('|').map((part) => part.trim());
  const [first = '', ...last] = owner.split(' ');
  return {
    title,
    description,
    location,
    owner_first_name: first,
    owner_last_name: last.join(' '),
    posted_by: postedBy,
    created_at: WRITTEN_AT,
  };
}

export function read(side: string): PostReading {
  return readPost(makePost(side));
}

/**
 * Compares a lost and a found post in one aspect, such as their colour.
 * @returns the points of this aspect. Negative points are evidence that the posts are about different things.
 */
export function points(aspect: Aspect, lost: string, found: string): number {
  return weighPair(readPost(makePost(lost)), readPost(makePost(found, 'finder')))[aspect]?.points ?? 0;
}

/** @param openPosts how many open posts the pair must stand out from; by default as many as a small community has. */
export function judge(lost: string, found: string, openPosts = 70) {
  const competition = { openPosts, shareOf: () => null };
  const judgement = judgePair(readPost(makePost(lost)), readPost(makePost(found, 'finder')), competition);
  return { ...judgement, reasons: judgement.reasons.flatMap(wordReason) };
}
