import '#web/photos/photos.css';
import i18next from 'i18next';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { Post } from '#contract/posts.ts';
import { ApiError, api } from '#web/api/client.ts';
import { queryClient } from '#web/api/queries.ts';
import { queryKeys } from '#web/api/query-keys.ts';
import { useSession } from '#web/api/session.ts';
import { useOnline } from '#web/lib/online.ts';
import { createEvent } from '#web/lib/store.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { showToast } from '#web/ui/toast.tsx';
import { onOutboxChange, type PendingPost, readOutbox } from './outbox.ts';
import { hasComeThrough, postponeInOutbox, refuseInOutbox, takeFromOutbox, withPhotos } from './outbox-changes.ts';
import { isKept, useBlobAddress, useWaitingPhotos, type WaitingPhoto } from './photo-queue.ts';
import { cancelPhoto, onPhotoSent, retryPhoto, startPhotos, useUploaded } from './photo-sender.ts';
import { isRefusal, startSending } from './sending.ts';

/** Sends unsent posts, announces each one sent, and shows the upload of their photos. */
export function Waiting() {
  const { t } = useTranslation('common');
  useEffect(startOutbox, []);
  useEffect(
    () =>
      onOutboxSent(({ title }) => {
        showToast.success(t('pendingSent', { title }));
        void queryClient.invalidateQueries({ queryKey: queryKeys.posts.all });
        void queryClient.invalidateQueries({ queryKey: queryKeys.matches.all });
      }),
    [t],
  );
  return <PhotoBar />;
}

/** The photos being uploaded, on every screen: each with its progress and a button to cancel. */
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

/** When the last photo is uploaded, shows a message and refetches the posts, so that they include their photos. */
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

/** Fires when the outbox has sent a post. */
const sent = createEvent<[Post]>();
export const onOutboxSent = sent.on;

/**
 * Sends the posts in the outbox now, after each change of the outbox, when the network returns, and at intervals.
 * @returns a function that ends the sending.
 */
export function startOutbox(): () => void {
  return startSending({ name: 'outbox', sendAll, waitMs, onChange: onOutboxChange });
}

/** Sends all unsent posts, oldest first. */
async function sendAll(): Promise<void> {
  for (let post = nextToSend(); post; post = nextToSend()) {
    if (!(await sendOne(post))) return;
  }
}

function nextToSend(): PendingPost | undefined {
  if (!navigator.onLine || waitMs() > 0) return undefined;
  return readOutbox().find(({ refusal }) => refusal === null);
}

/**
 * Returns how long the Worker has asked us to wait. If several posts have to wait, nothing is sent before the longest
 * wait is over.
 */
function waitMs(): number {
  const times = readOutbox().map(({ refusal, sendAfter }) => (refusal === null ? (sendAfter ?? 0) : 0));
  return Math.max(0, Math.max(...times) - Date.now());
}

/** @returns whether to continue with the next post. */
async function sendOne({ input, idempotencyKey }: PendingPost): Promise<boolean> {
  try {
    const post = await api('POST /posts', { body: input, headers: { 'Idempotency-Key': idempotencyKey } });
    await withPhotos(({ movePhotos, inOutbox, atPost }) => movePhotos(inOutbox(idempotencyKey), atPost(post.id)));
    takeFromOutbox(idempotencyKey);
    sent.emit(post);
    return true;
  } catch (error) {
    if (!isRefusal(error)) {
      if (error instanceof ApiError && error.retryAfterMs !== null)
        postponeInOutbox(idempotencyKey, error.retryAfterMs);
      return false;
    }
    const refusal = error.errors.map(({ message }) => message).join(' ') || error.detail;
    return refuseInOutbox(idempotencyKey, hasComeThrough(error) ? i18next.t('common:cameThrough') : refusal);
  }
}
