import { useTranslation } from 'react-i18next';
import { FOUND_UNDO_SECONDS } from '#contract/limits.ts';
import type { Post } from '#contract/posts.ts';
import { toPhoneTime } from '#web/lib/server-time.ts';
import { useSecondsLeft } from '#web/lib/use-seconds-left.ts';
import { Button } from '#web/ui/button.tsx';
import { useUndoFound } from './use-own-posts.ts';

/** Takes a marking back, as long as that can be done. */
export function UndoFound({ post, until, onUndone }: { post: Post; until: string; onUndone: () => void }) {
  const { t } = useTranslation('posts');
  const undoing = useUndoFound(onUndone);
  const minutes = Math.ceil(useSecondsLeft(toPhoneTime(until), FOUND_UNDO_SECONDS) / 60);
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
