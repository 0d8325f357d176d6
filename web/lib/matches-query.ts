import { queryOptions } from '@tanstack/react-query';
import { api } from './api-client.ts';

/** Everything about matches: what a new notice makes stale. */
export const MATCHES_KEY = ['matches'] as const;

/** The posts that match one's own, best first. */
export function matchesQuery(postId: string) {
  return queryOptions({
    queryKey: [...MATCHES_KEY, postId],
    queryFn: ({ signal }) => api('GET /posts/:id/matches', { params: { id: postId }, signal }),
  });
}

/** How many posts match each of one's own, in one request for a whole page of them. */
export const matchCountsQuery = queryOptions({
  queryKey: [...MATCHES_KEY, 'counts'],
  queryFn: ({ signal }) => api('GET /matches/counts', { signal }),
});
