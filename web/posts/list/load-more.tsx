import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '#web/api/client.ts';
import { useRetryOnline } from '#web/lib/online.ts';
import { Button } from '#web/ui/button.tsx';
import { useFailure } from '#web/ui/query-state.tsx';
import { showToast } from '#web/ui/toast.tsx';

/** The next page loads at this distance from the end of the list, so that scrolling does not wait. */
const AHEAD = '600px';

/**
 * Loads the next page when the user scrolls near the end of the list, or by a button.
 * @param isAutomatic whether scrolling loads the next page.
 * @param hasFailed whether the last try failed. Then only the button or the return of the network tries again.
 * @param pageCount the number of loaded pages. After each page the distance to the end is checked again.
 */
export function LoadMore({
  isAutomatic,
  hasFailed,
  pageCount,
  isLoading,
  onLoad,
}: {
  isAutomatic: boolean;
  hasFailed: boolean;
  pageCount: number;
  isLoading: boolean;
  onLoad: () => void;
}) {
  const { t } = useTranslation('posts');
  const end = useRef<HTMLDivElement>(null);
  const load = useRef(onLoad);
  load.current = onLoad;
  useRetryOnline(hasFailed, onLoad);

  // biome-ignore lint/correctness/useExhaustiveDependencies: an end that stays visible after a page needs the next one
  useEffect(() => {
    if (isLoading || hasFailed || !isAutomatic || !end.current || typeof IntersectionObserver === 'undefined') return;
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && load.current(),
      {
        rootMargin: AHEAD,
      },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [isLoading, hasFailed, isAutomatic, pageCount]);

  return (
    <div ref={end} className="mt-6 flex justify-center">
      <Button look="secondary" isBusy={isLoading} onClick={onLoad}>
        {isLoading ? t('loadingMore') : t('loadMore')}
      </Button>
    </div>
  );
}

/**
 * Shows a toast if the first page or a further page could not be loaded. If only a refresh of loaded posts fails, shows
 * no toast: `SeenBefore` then marks the posts as old.
 * @returns the toast's sentence if no posts are loaded, so that the screen can show it; otherwise null.
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
