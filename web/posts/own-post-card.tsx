import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Post } from '#contract/posts.ts';
import { paths } from '#web/lib/paths.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { MatchCount } from '#web/ui/match-list.tsx';
import { ClosePost } from './close-post.tsx';
import { HiddenNote } from './hidden-note.tsx';
import { LossReport } from './loss-report.tsx';
import { MarkFound } from './mark-found.tsx';
import { OwnPostState } from './own-post-state.tsx';
import { PostCard } from './post-card.tsx';
import { SharePost } from './share-post.tsx';
import { UndoFound } from './undo-found.tsx';

export function OwnPostCard({ post, onDelete }: { post: Post; onDelete: () => void }) {
  const { t } = useTranslation('posts');
  const update = useRef<HTMLAnchorElement>(null);
  // A button that is pressed and then goes takes the focus with it.
  const keepFocus = () => update.current?.focus();

  return (
    <PostCard post={post}>
      {post.is_found ? (
        post.found_until !== null && <UndoFound post={post} until={post.found_until} onUndone={keepFocus} />
      ) : (
        <>
          <HiddenNote post={post} />
          <OwnPostState post={post} onWoken={keepFocus} />
          <MatchCount postId={post.id} onEmptied={keepFocus} />
          <LossReport post={post} />
          <MarkFound post={post} onMarked={keepFocus} />
          {post.state !== 'closed' && <ClosePost post={post} onClosed={keepFocus} />}
        </>
      )}
      <SharePost post={post} />
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
