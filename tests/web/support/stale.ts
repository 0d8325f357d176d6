import type { QueryKey } from '@tanstack/react-query';
import { queryClient } from '#web/api/queries.ts';

/** Fills the cache with each key, which no screen shows. @returns the keys that the next screen would refetch. */
export function keepAnswers(...keys: QueryKey[]): () => QueryKey[] {
  for (const key of keys) queryClient.setQueryData<unknown>(key, {});
  return () => keys.filter((key) => queryClient.getQueryState(key)?.isInvalidated);
}
