import './photos.css';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { PHOTOS_MAX } from '#contract/limits.ts';
import type { Photo, PhotoChange } from '#contract/photos.ts';
import type { Post } from '#contract/posts.ts';
import { api, failureText, newIdempotencyKey } from '#web/api/client.ts';
import { queryKeys } from '#web/api/query-keys.ts';
import {
  atPost,
  changePhotos,
  forgetPhotos,
  isKept,
  keepPhotos,
  senderAt,
  takePhotos,
  useBlobAddress,
  useWaitingPhotos,
  type WaitingPhoto,
} from '#web/offline/photo-queue.ts';
import { onPhotoSent } from '#web/offline/photo-sender.ts';
import { Banner } from '#web/ui/banner.tsx';
import { ConfirmButtons, Dialog } from '#web/ui/dialogs.tsx';
import { showToast } from '#web/ui/toast.tsx';
import { PhotoRow, type PhotoRowProps } from './photo-row.tsx';
import { shrinkPhoto } from './shrink-photo.ts';

type Props = { place: string; post: Post | null } & Choice;

/**
 * The photos in the form of a post. A new post's photos are uploaded after the post. A change to an existing post's
 * photos takes effect at once.
 */
export function FormPhotos({ place, post, ...choice }: Props) {
  return post ? <SavedPhotos post={post} {...choice} /> : <DraftPhotos place={place} {...choice} />;
}

/** The photos of a new post. They are stored with its draft and uploaded once the post exists. */
function DraftPhotos({ place, chosen, onTaken }: { place: string } & Choice) {
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
    // Moves the focus, because the pressed button is removed with its photo.
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

/** The photos of an existing post. A new photo appears here after its upload; `PhotoBar` shows the progress. */
function SavedPhotos({ post, chosen, onTaken }: { post: Post } & Choice) {
  const { t } = useTranslation('photos');
  const place = atPost(post.id);
  const waiting = useWaitingPhotos((photo) => photo.place === place) ?? [];
  const { photos, change, remove } = useSavedPhotos(post);
  const taking = useTaking({ chosen, onTaken, count: photos.length + waiting.length, place });
  const [toRemove, setToRemove] = useState<string | null>(null);
  const list = useRef<HTMLUListElement>(null);

  function confirmRemoval(id: string) {
    remove(id);
    // Closes the dialog first: until then the focus cannot leave it. Then moves the focus, because the pressed button
    // is removed with its photo.
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

/** The uploaded photos of a post. Changes take effect at once. */
function useSavedPhotos({ id: postId, photos: first }: Post) {
  const { t } = useTranslation('photos');
  const client = useQueryClient();
  const [photos, setPhotos] = useState(first);
  useEffect(
    () => onPhotoSent((at, photo) => at === postId && setPhotos((before) => putInto(before, photo, before.length))),
    [postId],
  );

  const settled = {
    onError: (error: Error) => showToast.error(failureText(error, t('notSaved')), 'photo'),
    onSettled: () => void client.invalidateQueries({ queryKey: queryKeys.posts.all }),
  };
  const change = useMutation({
    mutationFn: ({ id: photoId, ...body }: { id: string } & PhotoChange) =>
      api('PATCH /posts/:id/photos/:photoId', { params: { id: postId, photoId }, body }),
    onSuccess: (photo, { position }) => setPhotos((before) => putInto(before, photo, position)),
    ...settled,
  });
  const removal = useMutation({
    mutationFn: (photoId: string) => api('DELETE /posts/:id/photos/:photoId', { params: { id: postId, photoId } }),
    onSuccess: (_, photoId) => setPhotos((before) => before.filter(({ id }) => id !== photoId)),
    ...settled,
  });
  return { photos, change: change.mutate, remove: removal.mutate };
}

function putInto(photos: Photo[], photo: Photo, position = photos.findIndex(({ id }) => id === photo.id)): Photo[] {
  const others = photos.filter(({ id }) => id !== photo.id);
  return [...others.slice(0, position), photo, ...others.slice(position)];
}

/** Says how many photos are being read, or why some could not be used. */
function TakingNote({ readCount, problem }: ReturnType<typeof useTaking>) {
  const { t } = useTranslation('photos');
  return (
    <>
      <p role="status" className="text-muted text-sm empty:hidden">
        {readCount > 0 && t('reading', { count: readCount })}
      </p>
      {problem && <Banner tone="error">{t(problem)}</Banner>}
    </>
  );
}

/** `chosen`: the files that the user has chosen and that are not read yet. */
type Choice = { chosen: File[]; onTaken: () => void };
/** `count`: how many photos the post has, with those not sent yet. `place`: where new ones wait (photo-queue.ts). */
type Taking = Choice & { count: number; place: string };

/** Makes the chosen photos smaller one by one and stores them. Returns how many are being read, and any failure. */
function useTaking({ chosen, onTaken, count, place }: Taking) {
  const [readCount, setReadCount] = useState(0);
  const [problem, setProblem] = useState<'tooMany' | 'unreadable' | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each choice is handled once
  useEffect(() => {
    if (chosen.length === 0) return;
    const fitting = chosen.slice(0, Math.max(0, PHOTOS_MAX - count - readCount));
    setProblem(fitting.length < chosen.length ? 'tooMany' : null);
    setReadCount((before) => before + fitting.length);
    takePhotos(takeAll(fitting));
    onTaken();
  }, [chosen]);

  async function takeAll(files: File[]) {
    const chosenAt = Date.now();
    for (const [at, file] of files.entries()) {
      const picture = await shrinkPhoto(file);
      // Each photo needs its own place in the order. The index keeps the places apart if all files were chosen in the
      // same millisecond.
      if (picture) await keepPhotos([newPhoto(place, picture, chosenAt + at)]);
      else setProblem('unreadable');
      setReadCount((before) => before - 1);
    }
  }

  return { readCount, problem };
}

function newPhoto(place: string, picture: Blob, order: number) {
  return {
    id: newIdempotencyKey(),
    place,
    userId: senderAt(place),
    order,
    alt: '',
    picture,
    refusal: null,
  };
}
