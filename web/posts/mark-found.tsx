import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import type { Post } from '#contract/posts.ts';
import { useDialogAddress } from '#web/lib/use-dialog-address.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { useMarkFound } from './use-own-posts.ts';

/** Marks the post as found and returned, after the dialog has asked once whether that is so. */
export function MarkFound({ post, onMarked }: { post: Post; onMarked: () => void }) {
  const { t } = useTranslation('posts');
  const marking = useMarkFound();
  const dialog = useDialogAddress('retrieved', post.id);

  function mark() {
    marking.mutate(post);
    // The dialog gives the focus back to the button, which goes as well.
    flushSync(dialog.close);
    onMarked();
  }

  return (
    <>
      <Button icon="check" isBusy={marking.isPending} onClick={dialog.open}>
        {t(`markFound.${post.posted_by}`)}
      </Button>
      {dialog.isOpen && (
        <Dialog title={t(`markFound.${post.posted_by}`)} onClose={dialog.close}>
          <p dir="auto" className="break-words font-semibold">
            {post.title}
          </p>
          <p>{t(`retrievedQuestion.${post.posted_by}`)}</p>
          <p className="text-muted">{t(`retrievedText.${post.posted_by}`)}</p>
          <div className="flex flex-wrap justify-end gap-3">
            <Button look="secondary" onClick={dialog.close}>
              {t('cancel')}
            </Button>
            <Button icon="check" onClick={mark}>
              {t(`markFound.${post.posted_by}`)}
            </Button>
          </div>
        </Dialog>
      )}
    </>
  );
}
