import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { FIRST_CARDS_MAX, FIRST_POSTS_ID, type FirstPosts } from '#contract/first-posts.ts';
import { SEARCH_MAX_CHARS } from '#contract/limits.ts';
import { foldIdentifier } from '#contract/typed-numbers.ts';
import type { PostFilter } from '#web/api/query-keys.ts';
import { getSession, useSession } from '#web/api/session.ts';
import { late, useLate } from '#web/lib/late.ts';
import { paths } from '#web/lib/paths.ts';
import { MatchList } from '#web/matches/match-list.tsx';
import type { ListedPost } from '#web/posts/api.ts';
import { CommunityFilter } from '#web/posts/form/community-field.tsx';
import { FilterBar, PostLoss, TellWhenFound } from '#web/posts/list/filter-bar.tsx';
import { LoadMore, useListError } from '#web/posts/list/load-more.tsx';
import { looksLikeIdentifier, readFilter, usePostFilter } from '#web/posts/list/post-filter.ts';
import { postListOptions, usePostList, useShownCount } from '#web/posts/list/post-list.ts';
import { Contact } from '#web/posts/post/contact.tsx';
import { Feed, PostCard, PostGrid, PostGridSkeleton, SearchParts } from '#web/posts/post/post-card.tsx';
import { MoreOfPost } from '#web/posts/post/report-and-block.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { SearchField } from '#web/ui/choice-fields.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { LatePart } from '#web/ui/late.tsx';
import { LoadFailure, LoginNeeded, SeenBefore } from '#web/ui/query-state.tsx';

/**
 * The server may return a page without any matching post. After this many pages without a match, only a press on the
 * button loads another one.
 */
const EMPTY_PAGES_MAX = 5;

/** /view-posts: lost and found posts, newest first. */
export function ViewPostsScreen() {
  const { t } = useTranslation('posts');
  const { filter, typed, setTyped, setParam, clear } = usePostFilter();
  const client = useQueryClient();
  // Puts the embedded posts into the cache before the list's query runs, so that the query finds them there.
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
      <PostResults filter={filter} typed={typed} cameWithPage={cameWithPage} />
    </div>
  );
}

const lateTellPeople = late(async () => (await import('#web/posts/share/tell-people.tsx')).TellPeople, 'sharing');
const latePushCard = late(async () => (await import('#web/push/push-card.tsx')).PushCard, 'push');

/** Shown after posting: the new post's matches, a button to share it, and the question about pushes. */
function JustPosted() {
  const { posted } = (useLocation().state ?? {}) as { posted?: unknown };
  const { Part: TellPeople } = useLate(lateTellPeople, { isWanted: typeof posted === 'string' });
  if (typeof posted !== 'string') return null;
  return (
    <>
      <MatchList postId={posted} />
      {TellPeople && <TellPeople postId={posted} />}
      <LatePart part={latePushCard} />
    </>
  );
}

type Taken = { cameWithPage: boolean };

function PostResults({ filter, typed, cameWithPage }: Taken & { filter: PostFilter; typed: string }) {
  const list = usePostList(filter, typed);
  // Whether the screen offers to look up an identifier. Like `TellWhenFound`, the look-up offers to post the loss, so
  // `TellWhenFound` is then hidden.
  const hasLookup = useSession() !== null && looksLikeIdentifier(typed);
  return (
    <>
      {/* Rendered from the start: a screen reader ignores a live region that appears together with its text. */}
      <p role="status" className="sr-only">
        {useShownCount(list)}
      </p>
      {!hasLookup && <TellWhenFound list={list} typed={typed} place={filter.place} />}
      <Results list={list} filter={filter} cameWithPage={cameWithPage} />
    </>
  );
}

function Results({
  list: { posts, isCatchingUp, answered, ...list },
  filter,
  cameWithPage,
}: Taken & { list: ReturnType<typeof usePostList>; filter: PostFilter }) {
  const { t } = useTranslation('posts');
  // First renders only the cards that the prerendered page shows, so that the app is usable sooner. The next render
  // adds the other cards.
  const isWhole = useDeferredValue(true, !cameWithPage);
  const problem = useListError(list);
  const pageCount = list.data?.pages.length ?? 0;

  if (problem) {
    const { sentence, needsLogin } = problem;
    if (needsLogin) {
      // A visitor has opened a link to the posts of a community, which only members can see.
      return (
        <div className="after-toast">
          <LoginNeeded title={sentence} label={t('login')} />
        </div>
      );
    }
    return <LoadFailure title={sentence} isToasted query={list} />;
  }
  if (list.isPending || (posts.length === 0 && isCatchingUp)) return <PostGridSkeleton />;
  if (posts.length === 0 && !list.hasNextPage) {
    return <NothingFits filter={filter} />;
  }
  return (
    <Feed isBusy={isCatchingUp}>
      <SeenBefore updatedAt={list.dataUpdatedAt} isOutdated={list.isRefetchError} />
      {posts.length === 0 && <p className="py-8 text-center text-muted">{t('nothingYet')}</p>}
      <SearchParts posts={isWhole ? posts : posts.slice(0, FIRST_CARDS_MAX)}>
        {(part) => <PostGrid posts={part} renderCard={(post) => <PostResult post={post} search={answered} />} />}
      </SearchParts>
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

function NothingFits({ filter: { search, place } }: { filter: PostFilter }) {
  const { t } = useTranslation('posts');
  return (
    <EmptyState icon="search" title={t('noItems')} text={search ? t('postLossText') : undefined}>
      <PostLoss typed={search} place={place} />
    </EmptyState>
  );
}

/** The search field and, for signed-in users, the choice of a community. */
function PostSearch({
  typed,
  onType,
  communityCode,
  onCommunity,
}: {
  typed: string;
  onType: (typed: string) => void;
  communityCode: string | null;
  onCommunity: (code: string | null) => void;
}) {
  const { t } = useTranslation('posts');
  return (
    <div className="grid items-start gap-3 sm:has-[select]:grid-cols-[1fr_minmax(14rem,20rem)]">
      <div className="grid gap-2">
        <SearchField
          label={t('searchLabel')}
          placeholder={t('searchPlaceholder')}
          clearLabel={t('clearSearch')}
          maxLength={SEARCH_MAX_CHARS}
          value={typed}
          onChange={onType}
        />
        <LookupOfNumber typed={typed} />
      </div>
      <CommunityFilter value={communityCode} onChange={onCommunity} />
    </div>
  );
}

const lateLookup = late(async () => (await import('#web/posts/list/number-lookup.tsx')).NumberLookup, 'ends');

/** Offers to look up the typed text if it looks like an identifier. */
function LookupOfNumber({ typed }: { typed: string }) {
  const isSignedIn = useSession() !== null;
  const isOffered = isSignedIn && looksLikeIdentifier(typed);
  const { Part: NumberLookup } = useLate(lateLookup, { isWanted: isOffered });
  // The key creates a new component for each identifier, so that the previous identifier's result disappears.
  return NumberLookup && <NumberLookup key={foldIdentifier(typed)} identifier={typed.trim()} />;
}

/**
 * A card of the public list. The build renders it with placeholders instead of texts, for the cards that the Worker
 * adds to pages (app/card-templates.tsx).
 */
export function PostResult({ post, search }: { post: ListedPost; search?: string }) {
  return (
    <PostCard post={post} search={search} more={<MoreOfPost post={post} />}>
      <Contact post={post} />
    </PostCard>
  );
}

/**
 * Puts the posts embedded in the page into the cache, once. The embedded posts are as a visitor sees them, so signed-in
 * users load their own list.
 * @returns whether the page had embedded posts. The page then already shows the first of these posts as cards.
 */
export function takeFirstPosts(client: QueryClient): boolean {
  const element = typeof document === 'undefined' ? null : document.getElementById(FIRST_POSTS_ID);
  element?.remove();
  const posts = getSession() === null ? read(element) : null;
  if (!posts) return false;
  const { queryKey } = postListOptions(null, readFilter(new URLSearchParams()));
  // If the page comes from the browser's history, the embedded posts may be older than the posts in the cache. If the
  // phone's clock is slow, `posts.at` is in the future, so the current time is used instead.
  const updatedAt = Math.min(Date.parse(posts.at), Date.now());
  if ((client.getQueryState(queryKey)?.dataUpdatedAt ?? 0) > updatedAt) return false;
  const page = { posts: posts.entries.map(({ Post }) => Post), nextCursor: posts.next_cursor };
  client.setQueryData(queryKey, { pages: [page], pageParams: [''] }, { updatedAt });
  return true;
}

/** Reads the embedded posts. If the download was cut off, the JSON is invalid. */
function read(element: HTMLElement | null): FirstPosts | null {
  try {
    // Does not validate the posts: the Worker's own tests check that they follow the contract.
    return element && (JSON.parse(element.textContent) as FirstPosts);
  } catch {
    return null;
  }
}
