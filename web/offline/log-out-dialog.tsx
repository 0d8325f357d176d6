import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useOutbox } from '#web/lib/outbox.ts';
import { emptyOutbox } from '#web/lib/outbox-changes.ts';
import { signOut, useSession } from '#web/lib/session.ts';
import { useWaitingPhotos } from '#web/lib/waiting-photos.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';

/** What waits is neither lost nor left for the next person on this phone without its writer's word. */
export function LogOutDialog({ onStay }: { onStay: () => void }) {
  const { t } = useTranslation(['common', 'photos']);
  const posts = useOutbox();
  const userId = useSession()?.userId ?? null;
  const photos = useWaitingPhotos((photo) => photo.userId !== null && photo.userId === userId);
  const isEmpty = posts.length === 0 && photos?.length === 0;
  // By its writer, or because all was sent meanwhile.
  useEffect(() => {
    if (isEmpty) signOut();
  }, [isEmpty]);

  if (photos === null || isEmpty) return null;
  const title = posts.length > 0 ? t('logOutTitle', { count: posts.length }) : t('photos:notSentTitle');
  const photoCount = photos.length;
  return (
    <Dialog title={title} onClose={onStay}>
      <ul className="grid gap-1">
        {posts.map(({ idempotencyKey, input }) => (
          <li key={idempotencyKey} dir="auto" className="wrap-anywhere font-semibold">
            {input.title}
          </li>
        ))}
      </ul>
      {photoCount > 0 && <p>{t('photos:notSent', { count: photoCount })}</p>}
      <p>{t('logOutText')}</p>
      <div className="grid gap-2">
        <Button onClick={onStay}>{t('stayLoggedIn')}</Button>
        <Button look="secondary" icon="trash" className="text-danger" onClick={emptyOutbox}>
          {t('logOutAndDiscard')}
        </Button>
      </div>
    </Dialog>
  );
}
