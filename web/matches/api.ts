import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { PostMatch } from '#contract/posts.ts';
import { api } from '#web/api/client.ts';
import { queryKeys } from '#web/api/query-keys.ts';

/** The posts that match one of the user's posts: sure matches first, then by score. */
export function matchesQuery(postId: string) {
  return queryOptions({
    queryKey: queryKeys.matches.ofPost(postId),
    queryFn: ({ signal }) => api('GET /posts/:id/matches', { params: { id: postId }, signal }),
  });
}

export type MatchAnswer = 'confirm' | 'dismiss';

/** Confirms the match, which notifies the other post's author, or dismisses it for the user only. */
export async function answerMatch(pairId: string, answer: MatchAnswer): Promise<void> {
  await api(`POST /matches/:pairId/${answer}`, { params: { pairId } });
}

/**
 * Marks the match as confirmed in the cached lists, so that the user sees the confirmation before the server's list
 * arrives.
 */
export function keepConfirmed(client: QueryClient, pairId: string): void {
  client.setQueriesData<PostMatch[]>({ queryKey: queryKeys.matches.ofPosts }, (matches) =>
    matches?.map((match) => (match.pair_id === pairId ? { ...match, answer: 'confirmed' } : match)),
  );
}

/** The number of matches of each of the user's posts, in one request. */
export const matchCountsQuery = queryOptions({
  queryKey: queryKeys.matches.counts,
  queryFn: ({ signal }) => api('GET /matches/counts', { signal }),
});
