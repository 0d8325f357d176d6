import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { PostMatch } from '#contract/posts.ts';
import { api } from './api-client.ts';
import { queryKeys } from './query-keys.ts';

/** The posts that match one's own, sure ones first, best first. */
export function matchesQuery(postId: string) {
  return queryOptions({
    queryKey: queryKeys.matches.ofPost(postId),
    queryFn: ({ signal }) => api('GET /posts/:id/matches', { params: { id: postId }, signal }),
  });
}

export type MatchAnswer = 'confirm' | 'dismiss';

/** "It is this one", which the author of the other post is told, or "not this one", for the reader alone. */
export async function answerMatch(pairId: string, answer: MatchAnswer): Promise<void> {
  await api(`POST /matches/:pairId/${answer}`, { params: { pairId } });
}

/** Shows the match as confirmed before the list is fetched again. */
export function keepConfirmed(client: QueryClient, pairId: string): void {
  client.setQueriesData<PostMatch[]>({ queryKey: queryKeys.matches.ofPosts }, (matches) =>
    matches?.map((match) => (match.pair_id === pairId ? { ...match, answer: 'confirmed' } : match)),
  );
}

/** How many posts match each of one's own, in one request for a whole page of them. */
export const matchCountsQuery = queryOptions({
  queryKey: queryKeys.matches.counts,
  queryFn: ({ signal }) => api('GET /matches/counts', { signal }),
});
