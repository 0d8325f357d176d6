import { useSyncExternalStore } from 'react';
import type { Photo } from '#contract/photos.ts';
import { ApiError, api } from './api-client.ts';
import type { WaitingPhoto } from './photo-database.ts';
import { onPhotosChange } from './photos-here.ts';
import { getSession, onSessionChange } from './session.ts';
import { isRefusal, startSending } from './start-sending.ts';
import { uploadTelling } from './upload.ts';
import { atPost, changePhotos, forgetPhotos, readPhotos } from './waiting-photos.ts';

type Listener = (postId: string, photo: Photo, leftCount: number) => void;
const sentListeners = new Set<Listener>();
const progressListeners = new Set<() => void>();
/** A server in trouble is not sent the same picture every half minute. */
const TROUBLE_MS = 5 * 60 * 1000;
const AT_POST = atPost('');

/** What is under way, and how much of it is out. */
let upload: { id: string; share: number; cancelling: AbortController } | null = null;
/** When the Worker takes photos again that asked to be left alone. */
let opensAt = 0;

/** Calls the listener with every photo that is at its post now, and how many are still to follow. */
export function onPhotoSent(listener: Listener): () => void {
  sentListeners.add(listener);
  return () => sentListeners.delete(listener);
}

/** Sends the photos whose posts are there, one after the other, now and whenever more come. @returns what ends that. */
export function startPhotos(): () => void {
  const onChange = (listener: () => void) => {
    const ofSession = () => {
      opensAt = 0;
      listener();
    };
    const stops = [onPhotosChange(listener), onSessionChange(ofSession)];
    return () => stops.map((stop) => stop());
  };
  return startSending({ name: 'photos', sendAll, waitMs, onChange });
}

/** How much of a photo is out, from 0 to 1; null while it waits. */
export function useUploaded(id: string): number | null {
  const read = () => (upload?.id === id ? upload.share : null);
  return useSyncExternalStore((listener) => {
    progressListeners.add(listener);
    return () => progressListeners.delete(listener);
  }, read);
}

/** Takes a photo back, even while it is on its way. */
export async function cancelPhoto(id: string): Promise<void> {
  await forgetPhotos((photo) => photo.id === id);
  if (upload?.id === id) upload.cancelling.abort();
}

/** At once, whatever the others wait for. */
export function retryPhoto(id: string): Promise<void> {
  opensAt = 0;
  return changePhotos((photo) => photo.id === id, { refusal: null });
}

async function sendAll(): Promise<void> {
  for (let photo = await nextToSend(); photo; photo = await nextToSend()) {
    if (!(await sendOne(photo))) return;
  }
}

async function nextToSend(): Promise<WaitingPhoto | undefined> {
  if (!navigator.onLine || waitMs() > 0) return undefined;
  return (await readPhotos()).find(isToBeSent);
}

function isToBeSent({ place, userId, refusal }: WaitingPhoto): boolean {
  return place.startsWith(AT_POST) && userId === getSession()?.userId && refusal === null;
}

function waitMs(): number {
  return Math.max(0, opensAt - Date.now());
}

/** @returns whether it is worth going on to the next. */
async function sendOne({ id, place, alt, picture }: WaitingPhoto): Promise<boolean> {
  const postId = place.slice(AT_POST.length);
  const cancelling = new AbortController();
  const tell = (share: number) => {
    upload = { id, share, cancelling };
    for (const listener of [...progressListeners]) listener();
  };
  tell(0);
  try {
    const photo = await api('POST /posts/:id/photos', {
      params: { id: postId },
      query: { alt },
      file: picture,
      headers: { 'Idempotency-Key': id },
      signal: cancelling.signal,
      fetch: uploadTelling(tell),
    });
    await forgetPhotos((sent) => sent.id === id);
    const left = (await readPhotos()).filter(isToBeSent);
    for (const listener of [...sentListeners]) listener(postId, photo, left.length);
    return true;
  } catch (error) {
    if (cancelling.signal.aborted) return true;
    if (!(error instanceof ApiError)) throw error;
    if (error.status > 0 && error.status !== 401) opensAt = Date.now() + (error.retryAfterMs ?? TROUBLE_MS);
    if (error.code !== 'switched_off' && !isRefusal(error)) return false;
    opensAt = 0;
    // What is wrong with the post is wrong with all of its photos.
    const isOfPost = error.code !== 'photo_broken' && error.code !== 'photo_too_large';
    await changePhotos((other) => (isOfPost ? other.place === place : other.id === id), { refusal: error.detail });
    return true;
  } finally {
    upload = null;
    for (const listener of [...progressListeners]) listener();
  }
}
