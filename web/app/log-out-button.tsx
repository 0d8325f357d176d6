import { type ComponentType, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { withTexts } from '#web/lib/i18n.ts';
import { readOutbox } from '#web/lib/outbox.ts';
import { hasPhotos } from '#web/lib/photos-here.ts';
import { getSession, signOut } from '#web/lib/session.ts';
import { showToast } from '#web/ui/toast.tsx';

const loadQuestion = withTexts(
  async () => (await import('#web/offline/log-out-dialog.tsx')).LogOutDialog,
  'logOut',
  'photos',
);

/** Signs out. Asks first if posts, photos or drafts wait on this phone, as they are deleted. */
export function LogOutButton() {
  const { t } = useTranslation('common');
  const [Question, setQuestion] = useState<ComponentType<{ onStay: () => void }> | null>(null);

  function logOut() {
    if (readOutbox().length === 0 && !hasPhotos() && !hasDrafts()) return signOut();
    loadQuestion().then(
      (LogOutDialog) => setQuestion(() => LogOutDialog),
      () => showToast.error(t('genericError')),
    );
  }

  return (
    <>
      <button type="button" className="nav-link text-left" onClick={logOut}>
        {t('logout')}
      </button>
      {Question && <Question onStay={() => setQuestion(null)} />}
    </>
  );
}

/** Whether the storage has a key such as `postDraft:USER:new`. The dialog finds out whether there is text in it. */
function hasDrafts(): boolean {
  return Object.keys(localStorage).some((key) => key.includes(`Draft:${getSession()?.userId}`));
}
