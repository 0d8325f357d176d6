import { useTranslation } from 'react-i18next';
import type { Post } from '#contract/posts.ts';
import { Button } from '#web/ui/button.tsx';
import { useMinutesLeft } from './use-minutes-left.ts';
import { useUndoFound } from './use-own-posts.ts';

/** Takes a marking back, as long as that can be done. */
export function UndoFound({ post, onUndone }: { post: Post; onUndone: () => void }) {
  const { t } = useTranslation('posts');
  const undoing = useUndoFound(onUndone);
  const minutes = useMinutesLeft(post.found_until);
  if (minutes === 0) return null;

  return (
    <div className="flex items-center justify-between gap-2">
      <p className="text-muted text-sm">{t('undoTimeLeft', { count: minutes })}</p>
      <Button look="secondary" isBusy={undoing.isPending} onClick={() => undoing.mutate(post)}>
        {t('undo')}
      </Button>
    </div>
  );
}
