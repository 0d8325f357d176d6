import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { WaitingPhoto } from '#web/lib/photo-database.ts';
import { cancelPhoto, onPhotoSent, retryPhoto, startPhotos, useUploaded } from '#web/lib/photo-sender.ts';
import '#web/ui/photos.css';
import { queryClient } from '#web/lib/query-client.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { useSession } from '#web/lib/session.ts';
import { useOnline } from '#web/lib/use-online.ts';
import { isKept, useWaitingPhotos } from '#web/lib/waiting-photos.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { showToast } from '#web/ui/toast.tsx';
import { useBlobAddress } from '#web/ui/use-blob-address.ts';

/** The photos that follow their posts, wherever their writer goes meanwhile: what is out of each, and the way to stop it. */
export function PhotoBar() {
  const { t } = useTranslation('photos');
  const session = useSession();
  const isOnline = useOnline();
  const photos = useWaitingPhotos(({ userId }) => userId !== null && userId === session?.userId) ?? [];
  useEffect(startPhotos, []);
  useSentPhotos();
  if (photos.length === 0) return null;
  const count = photos.filter(({ refusal }) => refusal === null).length;
  return (
    <section aria-label={t('barTitle')} className="border-line border-t bg-surface px-4 py-2">
      <div className="mx-auto grid max-w-xl gap-2">
        {count > 0 && (
          <p className="flex items-center gap-2 text-sm">
            <Icon name={isOnline ? 'camera' : 'offline'} />
            {t(isOnline ? 'sending' : 'waiting', { count })}
          </p>
        )}
        {!photos.every(isKept) && <p className="text-notice text-sm">{t('notKept')}</p>}
        <ul className="grid gap-1">
          {photos.map((photo, at) => (
            <PhotoOnItsWay key={photo.id} photo={photo} place={at + 1} />
          ))}
        </ul>
      </div>
    </section>
  );
}

/** The lists show a photo that has arrived, and the last of them is said. */
function useSentPhotos(): void {
  const { t } = useTranslation('photos');
  useEffect(
    () =>
      onPhotoSent((_postId, _photo, leftCount) => {
        if (leftCount > 0) return;
        showToast.success(t('sent'));
        void queryClient.invalidateQueries({ queryKey: queryKeys.posts.all });
      }),
    [t],
  );
}

function PhotoOnItsWay({ photo: { id, picture, refusal }, place }: { photo: WaitingPhoto; place: number }) {
  const { t } = useTranslation('photos');
  const address = useBlobAddress(picture);
  const share = useUploaded(id);
  return (
    <li className="photo-sent">
      <img src={address} alt="" width={44} height={44} />
      {refusal === null ? (
        <progress aria-label={t('photo', { place })} value={share ?? 0} />
      ) : (
        <p role="alert" className="text-danger text-sm">
          {refusal}
        </p>
      )}
      <div className="flex">
        {refusal !== null && (
          <Button look="quiet" onClick={() => void retryPhoto(id)}>
            {t('retry')}
          </Button>
        )}
        <button
          type="button"
          className="icon-button"
          aria-label={t('cancel', { place })}
          onClick={() => void cancelPhoto(id)}
        >
          <Icon name="close" />
        </button>
      </div>
    </li>
  );
}
