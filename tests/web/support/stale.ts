import type { QueryKey } from '@tanstack/react-query';
import { queryClient } from '#web/lib/query-client.ts';

/** The app knows something of each, which no screen shows now. @returns what of it the next one would ask for anew. */
export function keepAnswers(...keys: QueryKey[]): () => QueryKey[] {
  for (const key of keys) queryClient.setQueryData<unknown>(key, {});
  return () => keys.filter((key) => queryClient.getQueryState(key)?.isInvalidated);
}
