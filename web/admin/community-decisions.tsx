import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import type { AdminCommunity } from '#contract/admin.ts';
import { SEARCH_MAX_CHARS } from '#contract/limits.ts';
import { useFailure } from '#web/lib/use-failure.ts';
import { useTypedParam } from '#web/lib/use-typed-param.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { MoreButton } from '#web/ui/more-button.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { adminCommunitiesQuery, type Status } from './api.ts';
import { DecisionCard } from './decision-card.tsx';
import { ListFailure, ListSkeleton } from './list-states.tsx';
import { RejectDialog } from './reject-dialog.tsx';

/** The communities of one status, searched; those that wait can be decided. */
export function CommunityDecisions({ status }: { status: Status }) {
  const { t } = useTranslation('admin');
  const { settled, typed, setTyped } = useTypedParam('search');
  const search = settled.trim();
  const [rejecting, setRejecting] = useState<AdminCommunity | null>(null);
  const region = useRef<HTMLElement>(null);
  const list = useInfiniteQuery({
    ...adminCommunitiesQuery(status, search),
    placeholderData: keepPreviousData,
    // What waits is worth a fresh look at every visit: another admin may have decided.
    staleTime: 0,
  });
  const failure = useFailure(list);
  const communities = failure ? [] : (list.data?.pages.flatMap((page) => page.rows) ?? []);
  const empty = search ? t('noneMatch') : status === 'pending' ? t('nonePending') : t('noneApproved');

  /** The button that had the focus goes with its card; and nothing behind an open dialog takes the focus. */
  function onDecided() {
    flushSync(() => setRejecting(null));
    region.current?.focus();
  }

  return (
    <section ref={region} tabIndex={-1} aria-label={t(`parts.${status}`)} className="grid gap-4 outline-none">
      <SearchField
        label={t('search')}
        clearLabel={t('clearSearch')}
        maxLength={SEARCH_MAX_CHARS}
        value={typed}
        onChange={setTyped}
      />
      {failure && <ListFailure error={failure} list={list} />}
      {list.isPending && !failure && <ListSkeleton />}
      {list.data && !failure && communities.length === 0 && <EmptyState icon="check" title={empty} />}
      <ul className="grid gap-3" aria-busy={list.isPlaceholderData}>
        {communities.map((community) => (
          <DecisionCard
            key={community.id}
            community={community}
            onApproved={onDecided}
            onReject={() => setRejecting(community)}
          />
        ))}
      </ul>
      <MoreButton list={list} label={t('more')} failed={t('failed')} />
      {rejecting && <RejectDialog community={rejecting} onRejected={onDecided} onClose={() => setRejecting(null)} />}
    </section>
  );
}
