import { type ComponentType, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { withTexts } from '#web/lib/i18n.ts';
import { readOutbox } from '#web/lib/outbox.ts';
import { hasPhotos } from '#web/lib/photos-here.ts';
import { signOut } from '#web/lib/session.ts';
import { showToast } from '#web/ui/toast.tsx';

const loadQuestion = withTexts(async () => (await import('#web/offline/log-out-dialog.tsx')).LogOutDialog, 'photos');

/** Signs out; but whoever has posts or photos that wait on this phone is asked first, for they do not stay behind. */
export function LogOutButton() {
  const { t } = useTranslation('common');
  const [Question, setQuestion] = useState<ComponentType<{ onStay: () => void }> | null>(null);

  function logOut() {
    if (readOutbox().length === 0 && !hasPhotos()) return signOut();
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
