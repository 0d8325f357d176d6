import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Post } from '#contract/posts.ts';
import { paths } from '#web/lib/paths.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { MatchCount } from '#web/ui/match-list.tsx';
import { PostCard } from './post-card.tsx';
import { useMarkFound } from './use-own-posts.ts';

export function OwnPostCard({ post, onDelete }: { post: Post; onDelete: () => void }) {
  const { t } = useTranslation('posts');
  const marking = useMarkFound();
  const update = useRef<HTMLAnchorElement>(null);

  function markFound() {
    marking.mutate(post.id);
    // The button goes at once, and the focus with it.
    update.current?.focus();
  }

  return (
    <PostCard post={post}>
      {!post.is_found && <MatchCount postId={post.id} />}
      {!post.is_found && (
        <Button icon="check" isBusy={marking.isPending} onClick={markFound}>
          {t('markFound')}
        </Button>
      )}
      <div className="grid grid-cols-2 gap-2">
        <ButtonLink ref={update} look="secondary" icon="edit" to={paths.createPost} state={{ mode: 'update', post }}>
          {t('update')}
        </ButtonLink>
        <Button look="secondary" icon="trash" className="text-danger" onClick={onDelete}>
          {t('delete')}
        </Button>
      </div>
    </PostCard>
  );
}
