import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import type { CommunityPage } from '#contract/communities.ts';
import { SEARCH_MAX_CHARS } from '#contract/limits.ts';
import type { Post } from '#contract/posts.ts';
import { failureText } from '#web/api/client.ts';
import { type PostFilter, queryKeys } from '#web/api/query-keys.ts';
import { hidePost, restorePost } from '#web/communities/api.ts';
import { PostRowsSkeleton } from '#web/communities/community/latest-posts.tsx';
import { thingNumber } from '#web/communities/thing-number.ts';
import type { ListedPost } from '#web/posts/api.ts';
import { FilterBar, PostLoss, TellWhenFound } from '#web/posts/list/filter-bar.tsx';
import { countFilters, usePostFilter } from '#web/posts/list/post-filter.ts';
import { isEmptyList, usePostList, useShownCount } from '#web/posts/list/post-list.ts';
import { SearchParts } from '#web/posts/post/post-card.tsx';
import { FoundBy, PostBadges, PostFacts, PostLink } from '#web/posts/post/post-parts.tsx';
import { useAction } from '#web/ui/action.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { SearchField } from '#web/ui/choice-fields.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { QueryState } from '#web/ui/query-state.tsx';
import { ReasonDialog } from '#web/ui/reason-dialog.tsx';

/** The community's posts for its admins, who can hide them. */
export function CommunityPosts({ community: { id, community_code } }: { community: CommunityPage }) {
  const { t } = useTranslation(['community', 'communities']);
  const { filter: chosen, typed, setTyped, setParam, clear } = usePostFilter();
  const [hiding, setHiding] = useState<Post | null>(null);
  const region = useRef<HTMLElement>(null);
  const filter = { ...chosen, communityCode: community_code };
  // A stale time of 0 refetches the list on every visit, because another admin may have hidden a post.
  const list = usePostList(filter, typed, 0);
  const { posts, isCatchingUp } = list;

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
      {/* Rendered from the start: a screen reader ignores a live region that appears together with its text. */}
      <p role="status" className="sr-only">
        {useShownCount(list)}
      </p>
      <TellWhenFound list={list} typed={typed} place={filter.place} />
      <QueryState
        query={list}
        failed={t('postsFailed')}
        skeleton={<PostRowsSkeleton />}
        empty={isEmptyList(list) && <NothingFits filter={filter} />}
        more={t('morePosts')}
      >
        {() => (
          <>
            {posts.length === 0 && isCatchingUp && <PostRowsSkeleton />}
            <SearchParts posts={posts}>
              {(part) => (
                <ul className="grid gap-3" aria-busy={isCatchingUp}>
                  {part.map((post) => (
                    <CommunityPostRow
                      key={post.id}
                      {...{ communityId: id, post, search: list.answered }}
                      onHide={() => setHiding(post)}
                    />
                  ))}
                </ul>
              )}
            </SearchParts>
          </>
        )}
      </QueryState>
      {hiding && (
        <HidePostDialog
          communityId={id}
          post={hiding}
          onClose={() => setHiding(null)}
          // Moves the focus, because the button that opened the dialog is removed with the post.
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
  return (
    <EmptyState icon="tag" title={isNarrowed ? t('noPostsMatch') : unnarrowed}>
      {filter.search !== '' && <PostLoss typed={filter.search} place={filter.place} />}
    </EmptyState>
  );
}

type CommunityPostRowProps = { communityId: string; post: ListedPost; search: string; onHide: () => void };

/**
 * A post as the community's admins see it: with the number that the community's office writes on the thing's label,
 * with who has hidden the post, and with the admins' actions.
 */
function CommunityPostRow({ communityId, post, search, onHide }: CommunityPostRowProps) {
  const { t } = useTranslation('community');
  const row = useRef<HTMLLIElement>(null);
  const restoring = useAction({
    run: () => restorePost({ communityId, postId: post.id }),
    done: t('postRestored'),
    stale: [queryKeys.posts.all],
    onDone: () => row.current?.focus(),
  });
  const isHiddenHere = post.hidden_by.includes('community');
  return (
    <li ref={row} tabIndex={-1} className="card grid gap-2">
      <div className="flex flex-wrap items-start justify-between gap-2">
        <PostBadges post={{ ...post, community_name: null }} />
        <Badge tone="plain">{t('thingNumber', { number: thingNumber(post.id) })}</Badge>
      </div>
      <h3 className="break-words font-bold">
        <PostLink post={post} />
      </h3>
      <FoundBy post={post} search={search} />
      <PostFacts post={post} />
      {isHiddenHere && post.hidden_reason && (
        <p dir="auto" className="wrap-anywhere whitespace-pre-line text-muted text-sm">
          {t('hiddenBecause', { reason: post.hidden_reason })}
        </p>
      )}
      {restoring.error && <Banner tone="error">{failureText(restoring.error, t('failed'), t('noAnswer'))}</Banner>}
      {isHiddenHere ? (
        <Button
          look="secondary"
          icon="eye"
          className="justify-self-start"
          isBusy={restoring.isPending}
          onClick={() => restoring.mutate()}
        >
          {t('restorePost')}
        </Button>
      ) : (
        <Button look="quiet" icon="eyeOff" className="justify-self-start px-2!" onClick={onHide}>
          {t('hidePost')}
        </Button>
      )}
    </li>
  );
}

type HidePostDialogProps = { communityId: string; post: Post; onHidden: () => void; onClose: () => void };

/** Asks the admin for the reason to hide the post. The post's author reads this reason word for word. */
function HidePostDialog({ communityId, post, onHidden, onClose }: HidePostDialogProps) {
  const { t } = useTranslation('community');
  const hiding = useAction({
    run: (reason: string) => hidePost({ communityId, postId: post.id, reason }),
    done: t('postHidden'),
    stale: [queryKeys.posts.all],
    onDone() {
      flushSync(onClose);
      onHidden();
    },
  });
  return (
    <ReasonDialog
      title={t('hideTitle', { title: post.title })}
      text={t('hideText')}
      label={t('hideReason')}
      hint={t('hideHint')}
      action={t('hidePost')}
      saving={hiding}
      failed={t('failed')}
      noAnswer={t('noAnswer')}
      onSubmit={(reason) => hiding.mutate(reason)}
      onClose={onClose}
    />
  );
}
