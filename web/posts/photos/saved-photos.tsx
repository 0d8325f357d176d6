import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import type { Post } from '#contract/posts.ts';
import { atPost, useWaitingPhotos } from '#web/lib/waiting-photos.ts';
import { ConfirmButtons } from '#web/ui/confirm-buttons.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { PhotoRow } from './photo-row.tsx';
import { TakingNote } from './taking-note.tsx';
import { useSavedPhotos } from './use-saved-photos.ts';
import { type Choice, useTaking } from './use-taking.ts';

/** The photos of a post that is there. What is added shows its progress at the foot of the screen, and then stands here. */
export function SavedPhotos({ post, chosen, onTaken }: { post: Post } & Choice) {
  const { t } = useTranslation('photos');
  const place = atPost(post.id);
  const waiting = useWaitingPhotos((photo) => photo.place === place) ?? [];
  const { photos, change, remove } = useSavedPhotos(post);
  const taking = useTaking({ chosen, onTaken, count: photos.length + waiting.length, place });
  const [toRemove, setToRemove] = useState<string | null>(null);
  const list = useRef<HTMLUListElement>(null);

  function confirmRemoval(id: string) {
    remove(id);
    // The button that had the focus goes with its photo.
    flushSync(() => setToRemove(null));
    list.current?.focus();
  }

  return (
    <>
      <p className="text-muted text-sm">{t('atOnce')}</p>
      <ul ref={list} tabIndex={-1} aria-label={t('list')} className="grid gap-3 outline-none empty:hidden">
        {photos.map(({ id, thumbnail_url, alt }, at) => (
          <PhotoRow
            key={id}
            picture={thumbnail_url}
            alt={alt}
            at={at}
            count={photos.length}
            onAlt={(said) => change({ id, alt: said })}
            onMove={(by) => change({ id, position: at + by })}
            onRemove={() => setToRemove(id)}
          />
        ))}
      </ul>
      <TakingNote {...taking} />
      {toRemove && (
        <Dialog title={t('removeTitle')} onClose={() => setToRemove(null)}>
          <p>{t('removeText')}</p>
          <ConfirmButtons
            label={t('removeConfirm')}
            isBusy={false}
            onCancel={() => setToRemove(null)}
            onConfirm={() => confirmRemoval(toRemove)}
          />
        </Dialog>
      )}
    </>
  );
}
