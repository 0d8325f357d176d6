import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useRetryOnline } from '#web/lib/use-online.ts';
import { Button } from '#web/ui/button.tsx';

/** Starts before the end is reached, so that a reader who scrolls on does not have to wait. */
const AHEAD = '600px';

/**
 * The next page: by itself when the end of the list comes near, or by a button for those who do not scroll.
 * @param isAutomatic whether coming near is enough.
 * @param hasFailed whether the last try did; the next one is made by the button, or when the network is back.
 * @param pageCount how many pages are there; after each the end is looked at anew.
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

  // biome-ignore lint/correctness/useExhaustiveDependencies: an end that stays in sight after a page wants the next one
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
