import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Post } from '#contract/posts.ts';
import { thingNumber } from '#web/lib/thing-number.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { PostBadges } from '#web/ui/post-badges.tsx';
import { PostFacts } from '#web/ui/post-facts.tsx';
import { PostLink } from '#web/ui/post-link.tsx';
import { restorePost } from './posts-api.ts';
import { problemOf } from './problem-of.ts';
import { useModeration } from './use-moderation.ts';

type Props = { communityId: string; post: Post; onHide: () => void };

/** A post as the community's admins see it: its number at the desk, who hides it, and what they can do about that. */
export function CommunityPostRow({ communityId, post, onHide }: Props) {
  const { t } = useTranslation('community');
  const row = useRef<HTMLLIElement>(null);
  const restoring = useModeration({
    take: () => restorePost({ communityId, postId: post.id }),
    doneText: t('postRestored'),
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
      <PostFacts post={post} />
      {isHiddenHere && post.hidden_reason && (
        <p dir="auto" className="wrap-anywhere whitespace-pre-line text-muted text-sm">
          {t('hiddenBecause', { reason: post.hidden_reason })}
        </p>
      )}
      {restoring.error && <Banner tone="error">{problemOf(restoring.error, t)}</Banner>}
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
