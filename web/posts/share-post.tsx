import { useRef } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import type { Post } from '#contract/posts.ts';
import { withTexts } from '#web/lib/i18n.ts';
import { useDialogAddress } from '#web/lib/use-dialog-address.ts';
import { Button } from '#web/ui/button.tsx';
import { WantedPart } from '#web/ui/wanted-part.tsx';

const loadDialog = withTexts(async () => (await import('./share-dialog.tsx')).ShareDialog, 'sharing');

/** Passes a post on, as long as whoever opens the link finds it. */
export function SharePost({ post }: { post: Post }) {
  const { t } = useTranslation('posts');
  const dialog = useDialogAddress('share', post.id);
  const button = useRef<HTMLButtonElement>(null);
  if (post.is_hidden || !['open', 'returned'].includes(post.state)) return null;

  /** The dialog came a moment after the press, when the focus had gone on: it cannot give it back. */
  function close() {
    flushSync(dialog.close);
    button.current?.focus();
  }

  return (
    <>
      <Button ref={button} look="secondary" icon="share" onClick={dialog.open}>
        {t('share')}
      </Button>
      {dialog.isOpen && (
        <WantedPart load={loadDialog}>{(ShareDialog) => <ShareDialog post={post} onClose={close} />}</WantedPart>
      )}
    </>
  );
}
