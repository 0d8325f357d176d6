import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Post } from '#contract/posts.ts';
import { late } from '#web/lib/late.ts';
import { hasPhotos } from '#web/offline/photos-here.ts';
import { Icon } from '#web/ui/icon.tsx';
import { WantedPart } from '#web/ui/late.tsx';

const latePhotos = late(async () => (await import('./form-photos.tsx')).FormPhotos, 'photos');

type Props = {
  /** Where a new post's photos are stored until the post exists (offline/photo-queue.ts). */
  place: string;
  /** The post being edited; null for a new post. */
  post: Post | null;
  isOfDocument: boolean;
};

/** Takes photos from the camera or gallery. The code that shrinks and uploads photos loads only if there are photos. */
export function PhotoField({ place, post, isOfDocument }: Props) {
  const { t } = useTranslation(['posts', 'common']);
  /** The files that the user has chosen: null until the first choice, and empty once all chosen files are stored. */
  const [chosen, setChosen] = useState<File[] | null>(null);
  const isWanted = chosen !== null || hasPhotos() || (post?.photos ?? []).length > 0;

  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1 font-semibold">
        {t('photos')} <span className="font-normal text-muted text-sm">{t('common:optional')}</span>
      </legend>
      <p className="text-muted text-sm" role="status">
        {t(isOfDocument ? 'photosOfDocument' : 'photosHint')}
      </p>
      {!isOfDocument && (
        <label className="inline-flex min-h-11 cursor-pointer items-center justify-center gap-2 rounded-xl border border-field-line px-4 py-2 font-semibold focus-within:outline-3 focus-within:outline-accent focus-within:outline-offset-2 hover:bg-sunken">
          <Icon name="camera" />
          {t('addPhotos')}
          <input
            type="file"
            accept="image/*"
            multiple
            className="sr-only"
            onChange={({ target }) => {
              const added = [...(target.files ?? [])];
              // Adds to the files chosen before, because the form may not have read those files yet.
              setChosen((before) => [...(before ?? []), ...added]);
              // Lets the user choose the same picture again: an unchanged field fires no event.
              target.value = '';
            }}
          />
        </label>
      )}
      {isWanted && (
        <WantedPart part={latePhotos}>
          {(Photos) => <Photos {...{ place, post }} chosen={chosen ?? []} onTaken={() => setChosen([])} />}
        </WantedPart>
      )}
    </fieldset>
  );
}
