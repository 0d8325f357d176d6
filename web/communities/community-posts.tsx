import { useInfiniteQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CommunityPage } from '#contract/communities.ts';
import type { Post } from '#contract/posts.ts';
import { withReference } from '#web/lib/api-client.ts';
import { useSession } from '#web/lib/session.ts';
import { useDebounced } from '#web/lib/use-debounced.ts';
import { useFailure } from '#web/lib/use-failure.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { LoadFailure } from '#web/ui/load-failure.tsx';
import { MoreButton } from '#web/ui/more-button.tsx';
import { CommunityPostRow } from './community-post-row.tsx';
import { HidePostDialog } from './hide-post-dialog.tsx';
import { PostRowsSkeleton } from './latest-posts.tsx';
import { PostFilters } from './post-filters.tsx';
import { communityPostsQuery, EVERY_POST } from './posts-api.ts';

/** The community's posts for its admins, who hide what does not belong there. */
export function CommunityPosts({ community: { id, community_code } }: { community: CommunityPage }) {
  const { t } = useTranslation('community');
  const [chosen, setChosen] = useState(EVERY_POST);
  const [hiding, setHiding] = useState<Post | null>(null);
  const region = useRef<HTMLElement>(null);
  const texts = useDebounced(`${chosen.search.trim()}\n${chosen.place.trim()}`);
  const [search = '', place = ''] = texts.split('\n');
  const filter = { ...chosen, search, place };
  const viewerId = useSession()?.userId ?? null;
  const list = useInfiniteQuery({ ...communityPostsQuery(viewerId, community_code, filter), staleTime: 0 });
  const failure = useFailure(list);
  const posts = list.data?.pages.flatMap((page) => page.posts);
  const isNarrowed = Object.values(chosen).some(Boolean);
  return (
    <section ref={region} tabIndex={-1} aria-label={t('posts')} className="grid gap-4 outline-none">
      <PostFilters chosen={chosen} onChoose={setChosen} />
      {/* Here from the start: what comes into the page together with its text is not read out. */}
      <p role="status" className="sr-only">
        {posts && t('postsShown', { count: posts.length })}
      </p>
      {failure && <LoadFailure title={withReference(t('postsFailed'), failure)} query={list} />}
      {!failure && !posts && <PostRowsSkeleton />}
      {posts?.length === 0 && !list.hasNextPage && (
        <EmptyState icon="tag" title={t(isNarrowed ? 'noPostsMatch' : 'noPosts')} />
      )}
      <ul className="grid gap-3">
        {posts?.map((post) => (
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
