import { queryOptions } from '@tanstack/react-query';
import { api } from './api-client.ts';

/** Who the signed-in person is to the server. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => api('GET /me', { signal }),
});
