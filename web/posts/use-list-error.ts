import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '#web/lib/api-client.ts';
import { useFailure } from '#web/lib/use-failure.ts';
import { showToast } from '#web/ui/toast.tsx';

/**
 * Tells once, in a toast, that posts could not be loaded: the first of them or the next page. What is shown already and
 * could not be renewed says so itself (`SeenBefore`).
 * @returns the same sentence for a screen that has nothing to show, or null.
 */
export function useListError(list: UseInfiniteQueryResult): { sentence: string; needsLogin: boolean } | null {
  const { t } = useTranslation('posts');
  const failure = useFailure(list);
  const told = failure ?? (list.isFetchNextPageError ? list.error : null);
  const sentence = told && t('errorLoading', { message: reasonOf(told) });
  useEffect(() => {
    if (sentence) showToast.error(sentence, 'posts-not-loaded');
  }, [sentence]);
  return failure && sentence ? { sentence, needsLogin: failure instanceof ApiError && failure.status === 401 } : null;

  function reasonOf(problem: Error): string {
    if (!(problem instanceof ApiError)) return t('noAnswer');
    if (problem.status === 401) return t('loginToLoad');
    return problem.detail || t('noAnswer');
  }
}
