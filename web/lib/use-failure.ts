import type { UseInfiniteQueryResult, UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';

type Query = Pick<UseQueryResult | UseInfiniteQueryResult, 'data' | 'error' | 'errorUpdateCount' | 'isPlaceholderData'>;

/**
 * Why there is nothing to show, or null. It stands until something has come, also while it is asked for again: a message
 * that went with every try and came back with the next failure would be a new one each time.
 */
export function useFailure({ data, error, errorUpdateCount, isPlaceholderData }: Query): Error | null {
  const [last, setLast] = useState(error);
  if (error !== null && error !== last) setLast(error);
  const hasFailed = errorUpdateCount > 0 && (data === undefined || isPlaceholderData);
  return hasFailed ? (error ?? last) : null;
}
