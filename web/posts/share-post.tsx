import { useTranslation } from 'react-i18next';
import { Button } from '#web/ui/button.tsx';
import { showToast } from '#web/ui/toast.tsx';

/** Passes the address of this page on: through the phone's own sheet, else through the clipboard. */
export function SharePost({ title }: { title: string }) {
  const { t } = useTranslation('posts');

  async function share() {
    const url = window.location.origin + window.location.pathname;
    try {
      if (navigator.share) return await navigator.share({ title, url });
      await navigator.clipboard.writeText(url);
      showToast.success(t('linkCopied'));
    } catch (error) {
      // Closing the sheet is no failure.
      if (!(error instanceof DOMException && error.name === 'AbortError')) showToast.error(t('linkNotCopied'));
    }
  }

  return (
    <Button look="secondary" icon="share" onClick={() => void share()}>
      {t('share')}
    </Button>
  );
}
