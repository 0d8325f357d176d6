import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { CommunityPage } from '#contract/communities.ts';
import { useSession } from '#web/api/session.ts';
import { latestPostsQuery } from '#web/communities/api.ts';
import { paths } from '#web/lib/paths.ts';
import { PostBadges, PostFacts, PostLink } from '#web/posts/post/post-parts.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { QueryState } from '#web/ui/query-state.tsx';

export function LatestPosts({ community: { community_code: code, approval_status } }: { community: CommunityPage }) {
  const { t } = useTranslation('community');
  const viewerId = useSession()?.userId ?? null;
  const list = useQuery(latestPostsQuery(viewerId, code));
  return (
    <section className="grid gap-4" aria-labelledby="latest-posts">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="latest-posts">{t('latestPosts')}</h2>
        {approval_status === 1 && (
          <ButtonLink look="secondary" icon="plus" to={paths.createPost} state={{ community_code: code }}>
            {t('postHere')}
          </ButtonLink>
        )}
      </div>
      <QueryState
        query={list}
        failed={t('postsFailed')}
        skeleton={<PostRowsSkeleton />}
        empty={list.data?.length === 0 && <EmptyState icon="tag" title={t('noPosts')} />}
      >
        {(posts) => (
          <>
            <ul className="grid gap-3">
              {posts.map((post) => (
                <li key={post.id} className="card grid gap-2">
                  <PostBadges post={{ ...post, community_name: null }} />
                  <h3 className="break-words font-bold">
                    <PostLink post={post} />
                  </h3>
                  <PostFacts post={post} />
                </li>
              ))}
            </ul>
            <ButtonLink look="secondary" to={`${paths.viewPosts}?${new URLSearchParams({ community_code: code })}`}>
              {t('allPosts')}
            </ButtonLink>
          </>
        )}
      </QueryState>
    </section>
  );
}

export function PostRowsSkeleton() {
  return (
    <div className="grid gap-3" aria-busy="true">
      {['a', 'b', 'c'].map((key) => (
        <div key={key} className="card grid gap-2">
          <div className="skeleton h-6 w-24 rounded-full" />
          <div className="skeleton h-6 w-2/3" />
          <div className="skeleton h-4 w-1/2" />
        </div>
      ))}
    </div>
  );
}
