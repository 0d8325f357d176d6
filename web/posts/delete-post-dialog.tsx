import { useTranslation } from 'react-i18next';
import type { Post } from '#contract/posts.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';

export function DeletePostDialog({
  post,
  onCancel,
  onConfirm,
}: {
  post: Post;
  onCancel: () => void;
  onConfirm: () => void;
}) {
  const { t } = useTranslation('posts');
  return (
    <Dialog title={t('deleteTitle')} onClose={onCancel}>
      <p dir="auto" className="break-words font-semibold">
        {post.title}
      </p>
      <p>{t('deleteQuestion')}</p>
      <div className="flex flex-wrap justify-end gap-3">
        <Button look="secondary" onClick={onCancel}>
          {t('cancel')}
        </Button>
        <Button look="danger" icon="trash" onClick={onConfirm}>
          {t('delete')}
        </Button>
      </div>
    </Dialog>
  );
}
