import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { WaitingPhoto } from '#web/lib/photo-database.ts';
import { changePhotos, forgetPhotos, isKept, useWaitingPhotos } from '#web/lib/waiting-photos.ts';
import { Banner } from '#web/ui/banner.tsx';
import { useBlobAddress } from '#web/ui/use-blob-address.ts';
import { PhotoRow, type PhotoRowProps } from './photo-row.tsx';
import { TakingNote } from './taking-note.tsx';
import { type Choice, useTaking } from './use-taking.ts';

/** The photos of a post that is being written. They wait with its draft, and are sent once the post is there. */
export function DraftPhotos({ place, chosen, onTaken }: { place: string } & Choice) {
  const { t } = useTranslation('photos');
  const photos = useWaitingPhotos((photo) => photo.place === place) ?? [];
  const taking = useTaking({ chosen, onTaken, count: photos.length, place });
  const list = useRef<HTMLUListElement>(null);

  async function swap(one: WaitingPhoto, other: WaitingPhoto | undefined) {
    if (!other) return;
    await changePhotos(({ id }) => id === one.id, { order: other.order });
    await changePhotos(({ id }) => id === other.id, { order: one.order });
  }

  function remove({ id }: WaitingPhoto) {
    // The button goes with its photo.
    list.current?.focus();
    void forgetPhotos((photo) => photo.id === id);
  }

  return (
    <>
      <ul ref={list} tabIndex={-1} aria-label={t('list')} className="grid gap-3 outline-none empty:hidden">
        {photos.map((photo, at) => (
          <DraftPhoto
            key={photo.id}
            photo={photo}
            at={at}
            count={photos.length}
            onMove={(by) => void swap(photo, photos[at + by])}
            onRemove={() => remove(photo)}
          />
        ))}
      </ul>
      <TakingNote {...taking} />
      {!photos.every(isKept) && <Banner tone="notice">{t('notKept')}</Banner>}
    </>
  );
}

function DraftPhoto({ photo, ...row }: { photo: WaitingPhoto } & Omit<PhotoRowProps, 'picture' | 'alt' | 'onAlt'>) {
  const picture = useBlobAddress(photo.picture);
  const describe = (alt: string) => void changePhotos(({ id }) => id === photo.id, { alt });
  return <PhotoRow {...row} picture={picture} alt={photo.alt} onAlt={describe} />;
}
