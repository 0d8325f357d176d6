import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '#web/ui/button.tsx';

/** Starts before the end is reached, so that a reader who scrolls on does not have to wait. */
const AHEAD = '600px';

/**
 * The next page: by itself when the end of the list comes near, or by a button for those who do not scroll.
 * @param isAutomatic whether coming near is enough.
 * @param pageCount how many pages are there; after each the end is looked at anew.
 */
export function LoadMore({
  isAutomatic,
  pageCount,
  isLoading,
  onLoad,
}: {
  isAutomatic: boolean;
  pageCount: number;
  isLoading: boolean;
  onLoad: () => void;
}) {
  const { t } = useTranslation('posts');
  const end = useRef<HTMLDivElement>(null);
  const load = useRef(onLoad);
  load.current = onLoad;

  // biome-ignore lint/correctness/useExhaustiveDependencies: an end that stays in sight after a page wants the next one
  useEffect(() => {
    if (isLoading || !isAutomatic || !end.current || typeof IntersectionObserver === 'undefined') return;
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && load.current(),
      {
        rootMargin: AHEAD,
      },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [isLoading, isAutomatic, pageCount]);

  return (
    <div ref={end} className="mt-6 flex justify-center">
      <Button look="secondary" isBusy={isLoading} onClick={onLoad}>
        {isLoading ? t('loadingMore') : t('loadMore')}
      </Button>
    </div>
  );
}
