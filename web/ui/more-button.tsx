import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { useRetryOnline } from '#web/lib/use-online.ts';
import { Banner } from './banner.tsx';
import { Button } from './button.tsx';

/** The way to the next page while there is one, and what to say when it did not come. */
export function MoreButton({ list, label, failed }: { list: UseInfiniteQueryResult; label: string; failed: string }) {
  useRetryOnline(list.isFetchNextPageError, () => void list.fetchNextPage());
  return (
    <>
      {list.isFetchNextPageError && <Banner tone="error">{failed}</Banner>}
      {list.hasNextPage && (
        <Button look="secondary" isBusy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {label}
        </Button>
      )}
    </>
  );
}
