import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CommunityPage } from '#contract/communities.ts';
import { SEARCH_MAX_CHARS } from '#contract/limits.ts';
import type { Post } from '#contract/posts.ts';
import { withReference } from '#web/lib/api-client.ts';
import { countFilters } from '#web/lib/post-filter.ts';
import type { PostFilter } from '#web/lib/query-keys.ts';
import { useFailure } from '#web/lib/use-failure.ts';
import { usePostFilter } from '#web/lib/use-post-filter.ts';
import { usePostList } from '#web/lib/use-post-list.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { FilterBar } from '#web/ui/filter-bar.tsx';
import { LoadFailure } from '#web/ui/load-failure.tsx';
import { MoreButton } from '#web/ui/more-button.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { CommunityPostRow } from './community-post-row.tsx';
import { HidePostDialog } from './hide-post-dialog.tsx';
import { PostRowsSkeleton } from './latest-posts.tsx';

/** The community's posts for its admins, who hide what does not belong there. */
export function CommunityPosts({ community: { id, community_code } }: { community: CommunityPage }) {
  const { t } = useTranslation(['community', 'communities']);
  const { filter: chosen, typed, setTyped, setParam, clear } = usePostFilter();
  const [hiding, setHiding] = useState<Post | null>(null);
  const region = useRef<HTMLElement>(null);
  const filter = { ...chosen, communityCode: community_code };
  // What other admins have hidden meanwhile is not to be acted upon.
  const { posts, isCatchingUp, ...list } = usePostList(filter, typed, 0);
  const failure = useFailure(list);
  const isWaiting = !failure && (list.isPending || (posts.length === 0 && isCatchingUp));
  const isEmpty = !failure && !isWaiting && posts.length === 0 && !list.hasNextPage;

  return (
    <section ref={region} tabIndex={-1} aria-label={t('posts')} className="grid gap-4 outline-none">
      <SearchField
        label={t('searchPosts')}
        clearLabel={t('communities:clearSearch')}
        maxLength={SEARCH_MAX_CHARS}
        value={typed}
        onChange={setTyped}
      />
      <FilterBar filter={filter} onChange={setParam} onClear={clear} />
      {/* Here from the start: what comes into the page together with its text is not read out. */}
      <p role="status" className="sr-only">
        {list.isSuccess && !isCatchingUp && t('postsShown', { count: posts.length })}
      </p>
      {failure && <LoadFailure title={withReference(t('postsFailed'), failure)} query={list} />}
      {isWaiting && <PostRowsSkeleton />}
      {isEmpty && <NothingFits filter={filter} />}
      <ul className="grid gap-3" aria-busy={isCatchingUp}>
        {posts.map((post) => (
          <CommunityPostRow key={post.id} communityId={id} post={post} onHide={() => setHiding(post)} />
        ))}
      </ul>
      <MoreButton list={list} label={t('morePosts')} failed={t('postsFailed')} />
      {hiding && (
        <HidePostDialog
          communityId={id}
          post={hiding}
          onClose={() => setHiding(null)}
          // The button that opened the dialog goes with the hiding.
          onHidden={() => region.current?.focus()}
        />
      )}
    </section>
  );
}

function NothingFits({ filter }: { filter: PostFilter }) {
  const { t } = useTranslation('community');
  const isNarrowed = filter.search !== '' || countFilters(filter) > 0;
  const unnarrowed = filter.isOpenOnly ? t('noOpenPosts') : t('noPosts');
  return <EmptyState icon="tag" title={isNarrowed ? t('noPostsMatch') : unnarrowed} />;
}
