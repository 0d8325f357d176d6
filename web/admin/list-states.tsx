import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ApiError } from '#web/lib/api-client.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { LoadFailure } from '#web/ui/load-failure.tsx';

export function ListSkeleton() {
  return (
    <div className="grid gap-3" aria-busy="true">
      {['a', 'b', 'c'].map((key) => (
        <div key={key} className="card grid gap-3">
          <div className="skeleton h-6 w-1/2" />
          <div className="skeleton h-4 w-full" />
          <div className="skeleton h-11 w-40" />
        </div>
      ))}
    </div>
  );
}

export function ListFailure({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const { t } = useTranslation('admin');
  return <LoadFailure title={(error instanceof ApiError && error.detail) || t('failed')} onRetry={onRetry} />;
}

/** The way to the next page while there is one, and what to say when it did not come. */
export function MoreButton({ list }: { list: UseInfiniteQueryResult }) {
  const { t } = useTranslation('admin');
  return (
    <>
      {list.isFetchNextPageError && <Banner tone="error">{t('failed')}</Banner>}
      {list.hasNextPage && (
        <Button look="secondary" isBusy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t('more')}
        </Button>
      )}
    </>
  );
}
