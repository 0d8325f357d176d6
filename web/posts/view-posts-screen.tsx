import { useQueryClient } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { FIRST_CARDS_MAX } from '#contract/first-posts.ts';
import { withTexts } from '#web/lib/i18n.ts';
import { paths } from '#web/lib/paths.ts';
import type { PostFilter } from '#web/lib/query-keys.ts';
import { useLate } from '#web/lib/use-late.ts';
import { usePostFilter } from '#web/lib/use-post-filter.ts';
import { usePostList } from '#web/lib/use-post-list.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { FilterBar } from '#web/ui/filter-bar.tsx';
import { LatePart } from '#web/ui/late-part.tsx';
import { LoadFailure } from '#web/ui/load-failure.tsx';
import { MatchList } from '#web/ui/match-list.tsx';
import { SeenBefore } from '#web/ui/seen-before.tsx';
import { takeFirstPosts } from './first-posts.ts';
import { FoundPost } from './found-post.tsx';
import { LoadMore } from './load-more.tsx';
import { Feed, PostGrid, PostGridSkeleton } from './post-grid.tsx';
import { PostSearch } from './post-search.tsx';
import { useListError } from './use-list-error.ts';

/** A page may hold nothing that fits. After so many of them the reader says whether to look further back. */
const EMPTY_PAGES_MAX = 5;

/** /view-posts: what was lost or found, newest first. */
export function ViewPostsScreen() {
  const { t } = useTranslation('posts');
  const { filter, typed, setTyped, setParam, clear } = usePostFilter();
  const client = useQueryClient();
  // Before the list asks.
  const [cameWithPage] = useState(() => takeFirstPosts(client));
  return (
    <div className="grid gap-5">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <div className="grid gap-1">
          <h1>{t('discoverTitle')}</h1>
          <p className="lead">{t('discoverText')}</p>
        </div>
        <ButtonLink to={paths.createPost} icon="plus">
          {t('reportItem')}
        </ButtonLink>
      </div>
      <JustPosted />
      <PostSearch
        typed={typed}
        onType={setTyped}
        communityCode={filter.communityCode}
        onCommunity={(code) => setParam('community_code', code ?? '')}
      />
      <FilterBar filter={filter} onChange={setParam} onClear={clear} />
      <FoundPosts filter={filter} typed={typed} cameWithPage={cameWithPage} />
    </div>
  );
}

const loadTellPeople = withTexts(async () => (await import('./tell-people.tsx')).TellPeople, 'sharing');
const loadPushCard = withTexts(async () => (await import('#web/ui/push-card.tsx')).PushCard, 'push');

/** Whoever comes from posting sees at once what already matches their post, and is asked how to tell them of the rest. */
function JustPosted() {
  const { posted } = (useLocation().state ?? {}) as { posted?: unknown };
  const TellPeople = useLate(loadTellPeople, typeof posted === 'string');
  if (typeof posted !== 'string') return null;
  return (
    <>
      <MatchList postId={posted} />
      {TellPeople && <TellPeople postId={posted} />}
      <LatePart load={loadPushCard} />
    </>
  );
}

type Taken = { cameWithPage: boolean };

function FoundPosts({ filter, typed, cameWithPage }: Taken & { filter: PostFilter; typed: string }) {
  const { t } = useTranslation('posts');
  const list = usePostList(filter, typed);
  const isSettled = list.isSuccess && !list.isCatchingUp;
  return (
    <>
      {/* Here from the start: what comes into the page together with its text is not read out. */}
      <p role="status" className="sr-only">
        {isSettled && t('shown', { count: list.posts.length })}
      </p>
      <Results list={list} cameWithPage={cameWithPage} />
    </>
  );
}

function Results({
  list: { posts, isCatchingUp, ...list },
  cameWithPage,
}: Taken & { list: ReturnType<typeof usePostList> }) {
  const { t } = useTranslation('posts');
  // Taking over only the cards that the page shows makes the app usable sooner; the rest follow in the next render.
  const isWhole = useDeferredValue(true, !cameWithPage);
  const problem = useListError(list);
  const pageCount = list.data?.pages.length ?? 0;

  if (problem) {
    const { sentence, needsLogin } = problem;
    if (needsLogin) return <LoginPrompt title={sentence} />;
    return <LoadFailure title={sentence} isToasted query={list} />;
  }
  if (list.isPending || (posts.length === 0 && isCatchingUp)) return <PostGridSkeleton />;
  if (posts.length === 0 && !list.hasNextPage) {
    return <NothingFits />;
  }
  return (
    <Feed isBusy={isCatchingUp}>
      <SeenBefore updatedAt={list.dataUpdatedAt} isOutdated={list.isRefetchError} />
      {posts.length === 0 && <p className="py-8 text-center text-muted">{t('nothingYet')}</p>}
      <PostGrid
        posts={isWhole ? posts : posts.slice(0, FIRST_CARDS_MAX)}
        renderCard={(post) => <FoundPost post={post} />}
      />
      {isWhole && list.hasNextPage && (
        <LoadMore
          pageCount={pageCount}
          isAutomatic={posts.length > 0 || pageCount < EMPTY_PAGES_MAX}
          hasFailed={list.isFetchNextPageError}
          isLoading={list.isFetchingNextPage}
          onLoad={() => void list.fetchNextPage()}
        />
      )}
    </Feed>
  );
}

function NothingFits() {
  const { t } = useTranslation('posts');
  return (
    <EmptyState icon="search" title={t('noItems')}>
      <ButtonLink to={paths.createPost} state={{ posted_by: 'owner' }} icon="plus">
        {t('postWhatYouLost')}
      </ButtonLink>
    </EmptyState>
  );
}

/** For a link to the posts of a community, which a visitor may well follow. */
function LoginPrompt({ title }: { title: string }) {
  const { t } = useTranslation('posts');
  const { pathname, search } = useLocation();
  return (
    <div className="after-toast">
      <EmptyState icon="user" title={title}>
        <ButtonLink to={paths.login} state={{ from: pathname + search }}>
          {t('login')}
        </ButtonLink>
      </EmptyState>
    </div>
  );
}
