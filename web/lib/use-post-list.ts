import { useInfiniteQuery } from '@tanstack/react-query';
import { matchesTyped } from './matches-typed.ts';
import { isSameBut } from './post-filter.ts';
import { postListOptions } from './post-list-query.ts';
import type { PostFilter, queryKeys } from './query-keys.ts';
import { useSession } from './session.ts';

/**
 * The pages so far. While a new search is on its way, the posts at hand that fit what is typed stand in for it.
 * @param staleTime for how long they are not asked for again; the app's own time unless given.
 */
export function usePostList(filter: PostFilter, typed: string, staleTime?: number) {
  const viewerId = useSession()?.userId ?? null;
  const list = useInfiniteQuery({
    ...postListOptions(viewerId, filter),
    ...(staleTime !== undefined && { staleTime }),
    // Never another viewer's posts, nor another community's or filter's.
    placeholderData: (before, query) => {
      const [, , lastViewer, lastFilter] = (query?.queryKey ?? []) as Partial<ReturnType<typeof queryKeys.posts.list>>;
      return lastViewer === viewerId && lastFilter && isSameBut('search', lastFilter, filter) ? before : undefined;
    },
  });
  const isCatchingUp = list.isPlaceholderData || typed !== filter.search;
  const loaded = list.data?.pages.flatMap((page) => page.posts) ?? [];
  const posts = isCatchingUp ? loaded.filter((post) => matchesTyped(post, typed)) : loaded;
  return { ...list, posts, isCatchingUp };
}
