import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { CommunityPage } from '#contract/communities.ts';
import { withReference } from '#web/lib/api-client.ts';
import { paths } from '#web/lib/paths.ts';
import { useSession } from '#web/lib/session.ts';
import { useFailure } from '#web/lib/use-failure.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { LoadFailure } from '#web/ui/load-failure.tsx';
import { PostBadges } from '#web/ui/post-badges.tsx';
import { PostFacts } from '#web/ui/post-facts.tsx';
import { PostLink } from '#web/ui/post-link.tsx';
import { latestPostsQuery } from './posts-api.ts';

/** What was posted in it last. */
export function LatestPosts({ community: { community_code: code, approval_status } }: { community: CommunityPage }) {
  const { t } = useTranslation('community');
  const viewerId = useSession()?.userId ?? null;
  const list = useQuery(latestPostsQuery(viewerId, code));
  const failure = useFailure(list);
  const { data: posts } = list;
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
      {failure && <LoadFailure title={withReference(t('postsFailed'), failure)} query={list} />}
      {!failure && !posts && <PostRowsSkeleton />}
      {posts?.length === 0 && <EmptyState icon="tag" title={t('noPosts')} />}
      <ul className="grid gap-3">
        {posts?.map((post) => (
          <li key={post.id} className="card grid gap-2">
            <PostBadges post={{ ...post, community_name: null }} />
            <h3 className="break-words font-bold">
              <PostLink post={post} />
            </h3>
            <PostFacts post={post} />
          </li>
        ))}
      </ul>
      {posts && posts.length > 0 && (
        <ButtonLink look="secondary" to={`${paths.viewPosts}?${new URLSearchParams({ community_code: code })}`}>
          {t('allPosts')}
        </ButtonLink>
      )}
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
