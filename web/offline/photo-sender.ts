import type { Photo } from '#contract/photos.ts';
import { ApiError, api } from '#web/api/client.ts';
import { getSession, onSessionChange } from '#web/api/session.ts';
import { createEvent, createStore, useStore } from '#web/lib/store.ts';
import { atPost, changePhotos, forgetPhotos, readPhotos, type WaitingPhoto } from './photo-queue.ts';
import { onPhotosChange } from './photos-here.ts';
import { isRefusal, startSending } from './sending.ts';

/** Fires when a photo was uploaded. `leftCount`: how many photos still wait. */
const sent = createEvent<[postId: string, photo: Photo, leftCount: number]>();
export const onPhotoSent = sent.on;
/** The wait after a server error, so that the same picture is not uploaded every half minute. */
const TROUBLE_MS = 5 * 60 * 1000;
const AT_POST = atPost('');

/** The current upload. `share`: how much of the photo is sent, from 0 to 1. */
const upload = createStore<{ id: string; share: number; cancelling: AbortController } | null>(null);
/** The time until which the Worker has asked us to send no photos. */
let opensAt = 0;

/**
 * Uploads the photos of created posts one by one, now and whenever more are stored.
 * @returns a function that ends the uploading.
 */
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

/** Returns how much of a photo is uploaded, from 0 to 1, or null if its upload is not running. */
export function useUploaded(id: string): number | null {
  return useStore(upload, (current) => (current?.id === id ? current.share : null));
}

/** Removes a photo, even during its upload. */
export async function cancelPhoto(id: string): Promise<void> {
  await forgetPhotos((photo) => photo.id === id);
  const current = upload.get();
  if (current?.id === id) current.cancelling.abort();
}

/** Retries at once, without the wait that the Worker asked for. */
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

/** @returns whether to continue with the next photo. */
async function sendOne({ id, place, alt, picture }: WaitingPhoto): Promise<boolean> {
  const postId = place.slice(AT_POST.length);
  const cancelling = new AbortController();
  const tell = (share: number) => upload.set({ id, share, cancelling });
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
    await forgetPhotos((one) => one.id === id);
    const left = (await readPhotos()).filter(isToBeSent);
    sent.emit(postId, photo, left.length);
    return true;
  } catch (error) {
    if (cancelling.signal.aborted) return true;
    if (!(error instanceof ApiError)) throw error;
    if (error.status > 0 && error.status !== 401) opensAt = Date.now() + (error.retryAfterMs ?? TROUBLE_MS);
    if (error.code !== 'switched_off' && !isRefusal(error)) return false;
    opensAt = 0;
    // An error about this picture applies to this photo only. Any other error applies to all photos of the post.
    const isOfPost = error.code !== 'photo_broken' && error.code !== 'photo_too_large';
    await changePhotos((other) => (isOfPost ? other.place === place : other.id === id), { refusal: error.detail });
    return true;
  } finally {
    upload.set(null);
  }
}

/**
 * An upload without progress for this long has failed. The whole upload has no limit, because a slow line may need
 * minutes.
 */
const STALLED_MS = 45_000;

/** A `fetch` for files that reports the upload's progress, which only XMLHttpRequest supports. */
export function uploadTelling(onProgress: (share: number) => void) {
  return (address: string, { method = 'POST', headers, body, signal }: RequestInit): Promise<Response> =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      let timer: ReturnType<typeof setTimeout> | undefined;
      const waitOn = () => {
        clearTimeout(timer);
        timer = setTimeout(() => request.abort(), STALLED_MS);
      };
      request.open(method, address);
      for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value);
      request.upload.onprogress = ({ loaded, total }) => {
        waitOn();
        onProgress(total > 0 ? loaded / total : 0);
      };
      request.onload = () => resolve(toResponse(request));
      request.onerror = request.onabort = () => reject(new TypeError('The upload broke off'));
      request.onloadend = () => clearTimeout(timer);
      signal?.addEventListener('abort', () => request.abort(), { once: true });
      waitOn();
      request.send(body as XMLHttpRequestBodyInit | null);
    });
}

function toResponse(request: XMLHttpRequest): Response {
  const lines = request
    .getAllResponseHeaders()
    .trim()
    .split(/[\r\n]+/);
  const headers = lines.filter(Boolean).map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  return new Response(request.responseText || null, { status: request.status, headers });
}
