import { useTranslation } from 'react-i18next';
import { sharePathIn } from '#contract/links.ts';
import type { Post } from '#contract/posts.ts';
import { currentLanguage } from '#web/lib/i18n.ts';
import { posterPath } from '#web/lib/paths.ts';
import { copyText } from '#web/lib/share-text.ts';
import { Button, ButtonLink, LinkButton } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialogs.tsx';
import { showToast } from '#web/ui/toast.tsx';
import { useSharedPost } from './shared-post.ts';

/** The text to share and the ways to share it: the phone's share sheet, WhatsApp, the clipboard, or a poster. */
export function ShareDialog({ post, onClose }: { post: Post; onClose: () => void }) {
  const { t } = useTranslation(['sharing', 'posts']);
  const message = useShareMessage(post);
  return (
    <Dialog title={t('sharing:title')} onClose={onClose}>
      {message === null ? (
        <div className="skeleton h-60 w-full rounded-xl" aria-hidden="true" />
      ) : (
        <Ways
          message={message}
          url={window.location.origin + sharePathIn(currentLanguage(), post.id)}
          onDone={onClose}
        />
      )}
      {post.state === 'open' && (
        <ButtonLink look="quiet" icon="print" to={posterPath(post.id)} replace>
          {t('sharing:makePoster')}
        </ButtonLink>
      )}
    </Dialog>
  );
}

function Ways({ message, url, onDone }: { message: string; url: string; onDone: () => void }) {
  const { t } = useTranslation(['sharing', 'posts']);
  const whole = `${message} ${url}`;
  const hasSheet = 'share' in navigator;

  async function openSheet() {
    try {
      await navigator.share({ text: message, url });
      onDone();
    } catch (error) {
      // Closing the share sheet is not a failure.
      if (!(error instanceof DOMException && error.name === 'AbortError')) showToast.error(t('sharing:sheetFailed'));
    }
  }

  async function copy() {
    // Closes the dialog before the toast appears, because an open dialog would cover the toast.
    const copied = copyText(whole);
    onDone();
    if (await copied) showToast.success(t('posts:linkCopied'));
    else showToast.error(t('posts:linkNotCopied'));
  }

  return (
    <>
      <p dir="auto" className="wrap-anywhere rounded-xl bg-sunken p-3">
        {whole}
      </p>
      <div className="grid gap-2">
        {hasSheet && (
          <Button icon="share" onClick={() => void openSheet()}>
            {t('sharing:openSheet')}
          </Button>
        )}
        <LinkButton
          href={`https://wa.me/?text=${encodeURIComponent(whole)}`}
          look={hasSheet ? 'secondary' : 'primary'}
          icon="chat"
          target="_blank"
          rel="noreferrer"
        >
          WhatsApp
        </LinkButton>
        <Button look="secondary" icon="copy" onClick={() => void copy()}>
          {t('sharing:copy')}
        </Button>
      </div>
    </>
  );
}

/** @returns the text before the link, or null while it loads. */
function useShareMessage(post: Post): string | null {
  const { t } = useTranslation('sharing');
  const { post: shared, isLoading } = useSharedPost(post);
  if (isLoading) return null;
  if (shared === null) return t('forMembers');
  // If the post cannot be loaded as visitors see it, the text contains no details of the post. The page behind the link
  // shows the details.
  if (!shared) return t(`unnamed.${post.posted_by}`);
  const { title, location: place } = shared;
  return t(shared.is_found ? 'returned' : `message.${shared.posted_by}`, { title, place });
}
