import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useFailure } from '#web/lib/use-failure.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { MoreButton } from '#web/ui/more-button.tsx';
import { logQuery } from './api.ts';
import { ListFailure, ListSkeleton } from './list-states.tsx';
import { LogEntries } from './past.tsx';

/** What was done to posts and people, the last first. */
export function LogList() {
  const { t } = useTranslation('admin');
  const list = useInfiniteQuery(logQuery);
  const failure = useFailure(list);
  const entries = list.data?.pages.flatMap((page) => page.rows) ?? [];
  return (
    <div className="grid gap-4">
      {failure && <ListFailure error={failure} list={list} />}
      {list.isPending && !failure && <ListSkeleton />}
      {list.data && entries.length === 0 && <EmptyState icon="shield" title={t('nothingDone')} />}
      <LogEntries entries={entries} />
      <MoreButton list={list} label={t('more')} failed={t('failed')} />
    </div>
  );
}
