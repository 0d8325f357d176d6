import type { MatchReason } from '#contract/matching.ts';
import type { PostRow } from '#worker/posts/index.ts';
import type { Confidence } from './judging/probability.ts';

/** A post with the time since which it waits to be matched; null when it does not. */
export type MatchableRow = PostRow & { match_pending_since: number | null };

/** An open post of the other kind that describes the same thing. */
export type Match = { candidate: PostRow; confidence: Confidence; score: number; reasons: MatchReason[] };
