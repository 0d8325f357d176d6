import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import type { Community } from '#contract/communities.ts';
import { SEARCH_MAX_CHARS } from '#contract/limits.ts';
import { ApiError } from '#web/lib/api-client.ts';
import { ownCommunitiesQuery } from '#web/lib/communities-query.ts';
import { paths } from '#web/lib/paths.ts';
import { useSession } from '#web/lib/session.ts';
import { useDebounced } from '#web/lib/use-debounced.ts';
import { useFailure } from '#web/lib/use-failure.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { LoadFailure } from '#web/ui/load-failure.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { CommunityCard, CommunityCardSkeleton } from './community-card.tsx';

/** The reader's own communities and the box that searches them. */
export function CommunityList() {
  const { t } = useTranslation('communities');
  const [typed, setTyped] = useState('');
  const search = useDebounced(typed.trim());
  const isSignedIn = useSession() !== null;
  // A visitor's answer is known without asking.
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
      {isUnauthorised ? <LoginInvitation /> : <Results list={list} search={search} />}
    </>
  );
}

function Results({ list, search }: { list: UseQueryResult<Community[]>; search: string }) {
  const { t } = useTranslation('communities');
  const failure = useFailure(list);
  if (failure) {
    const detail = failure instanceof ApiError ? failure.detail : '';
    return <LoadFailure title={detail || t('fetchFailed')} query={list} />;
  }
  if (!list.data) {
    return (
      <div className="grid gap-3" aria-busy="true">
        <CommunityCardSkeleton />
        <CommunityCardSkeleton />
        <CommunityCardSkeleton />
      </div>
    );
  }
  if (list.data.length === 0) {
    return search ? (
      <EmptyState icon="search" title={t('noneMatch')} />
    ) : (
      <EmptyState icon="users" title={t('emptyTitle')} text={t('emptyText')} />
    );
  }
  return (
    <ul className="grid gap-3" aria-busy={list.isPlaceholderData}>
      {list.data.map((community) => (
        <CommunityCard key={community.id} community={community} />
      ))}
    </ul>
  );
}

function LoginInvitation() {
  const { t } = useTranslation('communities');
  const { pathname, search } = useLocation();
  return (
    <EmptyState icon="users" title={t('loginTitle')}>
      <ButtonLink to={paths.login} state={{ from: pathname + search }}>
        {t('login')}
      </ButtonLink>
    </EmptyState>
  );
}
