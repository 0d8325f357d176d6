import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Photo, PhotoChange } from '#contract/photos.ts';
import type { Post } from '#contract/posts.ts';
import { api } from '#web/lib/api-client.ts';
import { describeFailure } from '#web/lib/describe-failure.ts';
import { onPhotoSent } from '#web/lib/photo-sender.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { showToast } from '#web/ui/toast.tsx';

/** The photos that are at a post, which change as soon as it is said. */
export function useSavedPhotos({ id: postId, photos: first }: Post) {
  const { t } = useTranslation('photos');
  const client = useQueryClient();
  const [photos, setPhotos] = useState(first);
  useEffect(
    () => onPhotoSent((at, photo) => at === postId && setPhotos((before) => putInto(before, photo, before.length))),
    [postId],
  );

  const settled = {
    onError: (error: Error) => showToast.error(describeFailure(error, t('notSaved')), 'photo'),
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
