import { useTranslation } from 'react-i18next';
import type { Post } from '#contract/posts.ts';
import { useSession } from '#web/lib/session.ts';
import { useDialogAddress } from '#web/lib/use-dialog-address.ts';
import { Button } from '#web/ui/button.tsx';
import { WantedPart } from '#web/ui/wanted-part.tsx';

/** Few people are ever blocked. */
const loadDialog = async () => (await import('./block-dialog.tsx')).BlockDialog;

/**
 * The way to have nothing to do with whoever posted this any more.
 * @param onBlocked leads away from what is no longer there; without it the dialog just closes.
 */
export function BlockAuthor({ post, onBlocked }: { post: Post; onBlocked?: () => void }) {
  const { t } = useTranslation('posts');
  const dialog = useDialogAddress('block', post.id);
  const isSignedIn = useSession() !== null;
  if (post.is_mine || !isSignedIn) return null;

  function close(isBlocked: boolean) {
    if (!isBlocked) return dialog.close();
    if (onBlocked) onBlocked();
    else dialog.close();
    // The button goes with its card, and the focus with it.
    document.getElementById('content')?.focus();
  }

  return (
    <>
      <Button
        look="quiet"
        icon="userOff"
        onClick={dialog.open}
        className="justify-self-start px-2! text-muted! text-sm"
      >
        {t('block')}
      </Button>
      {dialog.isOpen && (
        <WantedPart load={loadDialog}>{(BlockDialog) => <BlockDialog post={post} onClose={close} />}</WantedPart>
      )}
    </>
  );
}
