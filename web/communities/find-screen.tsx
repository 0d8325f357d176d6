import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { SEARCH_MAX_CHARS } from '#contract/limits.ts';
import { describeFailure } from '#web/lib/describe-failure.ts';
import { paths } from '#web/lib/paths.ts';
import { useSession } from '#web/lib/session.ts';
import { useFailure } from '#web/lib/use-failure.ts';
import { useTypedParam } from '#web/lib/use-typed-param.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { LoadFailure } from '#web/ui/load-failure.tsx';
import { MoreButton } from '#web/ui/more-button.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { listedQuery } from './api.ts';
import { CommunityCardSkeleton } from './community-card.tsx';
import { ListedCommunity } from './listed-community.tsx';

/** /communities/find: the communities that can be found by name, and the way to ask to be let in. */
export function FindScreen() {
  const { t } = useTranslation(['community', 'communities']);
  const { pathname, search } = useLocation();
  const isSignedIn = useSession() !== null;
  return (
    <div className="mx-auto grid w-full max-w-2xl gap-4">
      <Link to={paths.communities} className="link flex min-h-11 items-center gap-2 justify-self-start">
        <Icon name="back" />
        {t('back')}
      </Link>
      <div className="grid gap-1">
        <h1>{t('findTitle')}</h1>
        <p className="lead">{t('findText')}</p>
      </div>
      {isSignedIn ? (
        <Listed />
      ) : (
        <EmptyState icon="users" title={t('communities:loginTitle')}>
          <ButtonLink to={paths.login} state={{ from: pathname + search }}>
            {t('communities:login')}
          </ButtonLink>
        </EmptyState>
      )}
    </div>
  );
}

function Listed() {
  const { t } = useTranslation(['community', 'communities']);
  const { settled, typed, setTyped } = useTypedParam('search');
  const region = useRef<HTMLElement>(null);
  const list = useInfiniteQuery({ ...listedQuery(settled.trim()), placeholderData: keepPreviousData });
  const failure = useFailure(list);
  const communities = failure ? undefined : list.data?.pages.flatMap((page) => page.communities);
  return (
    <section ref={region} tabIndex={-1} aria-label={t('findTitle')} className="grid gap-4 outline-none">
      <SearchField
        label={t('findLabel')}
        clearLabel={t('communities:clearSearch')}
        maxLength={SEARCH_MAX_CHARS}
        value={typed}
        onChange={setTyped}
      />
      {/* Here from the start: what comes into the page together with its text is not read out. */}
      <p role="status" className="sr-only">
        {communities && t('communitiesShown', { count: communities.length })}
      </p>
      {failure && <LoadFailure title={describeFailure(failure, t('communities:fetchFailed'))} query={list} />}
      {!failure && !communities && (
        <div className="grid gap-3" aria-busy="true">
          <CommunityCardSkeleton />
          <CommunityCardSkeleton />
        </div>
      )}
      {communities?.length === 0 && (
        <EmptyState icon="search" title={t(settled ? 'noneFound' : 'noneListed')} text={t('noneFoundText')} />
      )}
      <ul className="grid gap-3" aria-busy={list.isPlaceholderData}>
        {communities?.map((community) => (
          <ListedCommunity key={community.id} community={community} onAsked={() => region.current?.focus()} />
        ))}
      </ul>
      <MoreButton list={list} label={t('moreCommunities')} failed={t('communities:fetchFailed')} />
    </section>
  );
}
