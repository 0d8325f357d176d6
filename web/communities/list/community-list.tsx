import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Community } from '#contract/communities.ts';
import { SEARCH_MAX_CHARS } from '#contract/limits.ts';
import { ApiError, failureText } from '#web/api/client.ts';
import { useSession } from '#web/api/session.ts';
import { ownCommunitiesQuery } from '#web/communities/queries.ts';
import { useDebounced } from '#web/lib/address.ts';
import { SearchField } from '#web/ui/choice-fields.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { LoginNeeded, QueryState } from '#web/ui/query-state.tsx';
import { CommunityCard, CommunityCardSkeleton } from './community-card.tsx';

/** The user's communities, and a field that searches them by name. */
export function CommunityList() {
  const { t } = useTranslation('communities');
  const [typed, setTyped] = useState('');
  const search = useDebounced(typed.trim());
  const isSignedIn = useSession() !== null;
  // A visitor has no communities, so nothing is requested.
  const list = useQuery({ ...ownCommunitiesQuery(search), enabled: isSignedIn, placeholderData: keepPreviousData });
  const isUnauthorised = !isSignedIn || (list.error instanceof ApiError && list.error.status === 401);

  return (
    <>
      <SearchField
        label={t('search')}
        clearLabel={t('clearSearch')}
        maxLength={SEARCH_MAX_CHARS}
        isDisabled={isUnauthorised}
        value={typed}
        onChange={setTyped}
      />
      {isUnauthorised ? (
        <LoginNeeded icon="users" title={t('loginTitle')} label={t('login')} />
      ) : (
        <Results list={list} search={search} />
      )}
    </>
  );
}

function Results({ list, search }: { list: UseQueryResult<Community[]>; search: string }) {
  const { t } = useTranslation('communities');
  const empty = search ? (
    <EmptyState icon="search" title={t('noneMatch')} />
  ) : (
    <EmptyState icon="users" title={t('emptyTitle')} text={t('emptyText')} />
  );
  return (
    <QueryState
      query={list}
      failed={t('fetchFailed')}
      wording={failureText}
      skeleton={
        <div className="grid gap-3" aria-busy="true">
          <CommunityCardSkeleton />
          <CommunityCardSkeleton />
          <CommunityCardSkeleton />
        </div>
      }
      empty={list.data?.length === 0 && empty}
    >
      {(communities) => (
        <ul className="grid gap-3" aria-busy={list.isPlaceholderData}>
          {communities.map((community) => (
            <CommunityCard key={community.id} community={community} />
          ))}
        </ul>
      )}
    </QueryState>
  );
}
