import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Post } from '#contract/posts.ts';
import { useDialogAddress } from '#web/lib/address.ts';
import { late } from '#web/lib/late.ts';
import { savesData } from '#web/lib/online.ts';
import { Icon } from '#web/ui/icon.tsx';
import { WantedPart } from '#web/ui/late.tsx';

const lateViewer = late(async () => (await import('./photo-viewer.tsx')).PhotoViewer, 'photos');

/** A post's photos as thumbnails, with their space reserved while they load. Each thumbnail opens the photo viewer. */
export function PostPhotos({ post: { id, photos, title } }: { post: Post }) {
  const { t } = useTranslation('posts');
  const dialog = useDialogAddress('photos', id);
  const [first, setFirst] = useState(0);
  const [isSaving] = useState(savesData);
  const isOpen = dialog.isOpen && photos.length > 0;
  if (photos.length === 0) return null;

  return (
    <>
      <ul className="grid grid-cols-2 gap-2" aria-label={t('photos')}>
        {photos.map(({ id: photoId, thumbnail_url, width, height, alt }, at) => (
          <li key={photoId}>
            <button
              type="button"
              className="block aspect-4/3 w-full overflow-hidden rounded-xl bg-sunken"
              onClick={() => {
                setFirst(at);
                dialog.open();
              }}
            >
              {isSaving ? (
                <span className="inline-flex items-center gap-2 p-2">
                  <Icon name="camera" />
                  {alt || t('showPhoto')}
                </span>
              ) : (
                <img
                  src={thumbnail_url}
                  alt={alt || t('photoOf', { title })}
                  {...{ width, height }}
                  loading="lazy"
                  decoding="async"
                  className="size-full object-cover"
                />
              )}
            </button>
          </li>
        ))}
      </ul>
      {isOpen && (
        <WantedPart part={lateViewer}>
          {(Viewer) => <Viewer {...{ photos, first, title }} onClose={dialog.close} />}
        </WantedPart>
      )}
    </>
  );
}
