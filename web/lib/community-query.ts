import { queryOptions } from '@tanstack/react-query';
import { api } from './api-client.ts';
import { queryKeys } from './query-keys.ts';

/** One community of the reader's, with what its pages say of it. */
export function communityQuery(id: string) {
  return queryOptions({
    queryKey: queryKeys.communities.one(id),
    queryFn: ({ signal }) => api('GET /communities/:id', { params: { id }, signal }),
  });
}
