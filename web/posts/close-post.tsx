import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { OUTCOMES, type Outcome, type Post } from '#contract/posts.ts';
import { useDialogAddress } from '#web/lib/use-dialog-address.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { useEndPost } from './use-ends.ts';

/** How did it end? One tap says it, and closes the post. */
export function ClosePost({ post, onClosed }: { post: Post; onClosed: () => void }) {
  const { t } = useTranslation(['posts', 'ends']);
  const ending = useEndPost();
  const dialog = useDialogAddress('close', post.id);

  function end(outcome: Outcome) {
    ending.mutate({ post, outcome });
    // The dialog gives the focus back to the button, which goes as well.
    flushSync(dialog.close);
    onClosed();
  }

  return (
    <>
      <Button look="quiet" icon="close" isBusy={ending.isPending} onClick={dialog.open}>
        {t('ends:closePost')}
      </Button>
      {dialog.isOpen && (
        <Dialog title={t('ends:closeTitle')} onClose={dialog.close}>
          <p dir="auto" className="break-words font-semibold">
            {post.title}
          </p>
          <fieldset className="grid gap-2">
            <legend className="mb-2">{t('ends:closeQuestion')}</legend>
            {OUTCOMES.map((outcome) => (
              <Button key={outcome} look="secondary" className="justify-start text-left" onClick={() => end(outcome)}>
                {t(`ends:outcomes.${post.posted_by}.${outcome}`)}
              </Button>
            ))}
          </fieldset>
          <p className="text-muted text-sm">{t('ends:closeText')}</p>
        </Dialog>
      )}
    </>
  );
}
