import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useOutbox } from '#web/lib/outbox.ts';
import { emptyOutbox } from '#web/lib/outbox-changes.ts';
import { signOut, useSession } from '#web/lib/session.ts';
import { forgetPhotos, useWaitingPhotos } from '#web/lib/waiting-photos.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { forgetDrafts, listDrafts } from './drafts.ts';

/** Asks before logging out deletes what its writer has not sent. The next person on this phone finds none of it. */
export function LogOutDialog({ onStay }: { onStay: () => void }) {
  const { t } = useTranslation(['logOut', 'photos']);
  const posts = useOutbox();
  const userId = useSession()?.userId ?? null;
  const [drafts, setDrafts] = useState(() => (userId === null ? [] : listDrafts(userId)));
  const photos = useWaitingPhotos((photo) => photo.userId !== null && photo.userId === userId);
  const isEmpty = posts.length === 0 && drafts.length === 0 && photos?.length === 0;
  // By its writer, or because all was sent meanwhile.
  useEffect(() => {
    if (!isEmpty) return;
    if (userId !== null) {
      void forgetPhotos(({ place }) => place.includes(`Draft:${userId}`));
      forgetDrafts(userId);
    }
    signOut();
  }, [isEmpty, userId]);

  function discard() {
    emptyOutbox();
    setDrafts([]);
  }

  if (photos === null || isEmpty) return null;
  const isWaiting = posts.length + photos.length > 0;
  const titleOfPosts = posts.length > 0 ? t('title', { count: posts.length }) : t('photos:notSentTitle');
  const written = [
    ...posts.map(({ idempotencyKey, input }) => ({ key: idempotencyKey, text: input.title })),
    ...drafts,
  ];
  return (
    <Dialog title={isWaiting ? titleOfPosts : t('draftsTitle')} onClose={onStay}>
      <ul className="grid gap-1">
        {written.map(({ key, text }) => (
          <li key={key} dir="auto" className="wrap-anywhere line-clamp-2 font-semibold">
            {text}
          </li>
        ))}
      </ul>
      {photos.length > 0 && <p>{t('photos:notSent', { count: photos.length })}</p>}
      <p>{isWaiting ? t('text') : t('draftsText')}</p>
      <div className="grid gap-2">
        <Button onClick={onStay}>{t('stay')}</Button>
        <Button look="secondary" icon="trash" className="text-danger" onClick={discard}>
          {t('discard')}
        </Button>
      </div>
    </Dialog>
  );
}
