import { useEffect, useState } from 'react';
import {
  changeStoredPhotos,
  deleteStoredPhotos,
  readStoredPhotos,
  storePhotos,
  type WaitingPhoto,
} from './photo-database.ts';
import { notePhotos, onPhotosChange } from './photos-here.ts';
import { getSession } from './session.ts';

/**
 * The photos that are not yet at their post. They wait with its draft, at the draft's own key; with a post of the outbox;
 * and, once the post is there, to be sent (photo-sender.ts).
 */
export const inOutbox = (idempotencyKey: string): string => `outbox:${idempotencyKey}`;
export const atPost = (postId: string): string => `post:${postId}`;

/** Whose it is from then on to be sent; of a draft it is said once the draft is. */
export function senderAt(place: string): string | null {
  return place.startsWith('postDraft:') ? null : (getSession()?.userId ?? null);
}

/** What the phone cannot keep, full or private as it is. It lives as long as the page. */
const unkept = new Map<string, WaitingPhoto>();

/** Being read: it belongs to its draft from the moment it was chosen. */
const taking = new Set<Promise<void>>();

/** Keeps what comes of it, and lets nothing happen to its place until then. */
export function takePhotos(reading: Promise<void>): void {
  const taken = reading.finally(() => {
    taking.delete(taken);
    void announce();
  });
  taking.add(taken);
  void announce();
}

export function isKept(photo: WaitingPhoto): boolean {
  return !unkept.has(photo.id);
}

/** In the order that their writer gave them. */
export async function readPhotos(): Promise<WaitingPhoto[]> {
  const stored = await readStoredPhotos().catch(() => []);
  const photos = new Map([...stored.map((photo) => [photo.id, photo] as const), ...unkept]);
  return [...photos.values()].sort((one, other) => one.order - other.order);
}

export async function keepPhotos(photos: WaitingPhoto[]): Promise<void> {
  try {
    await storePhotos(photos);
  } catch {
    for (const photo of photos) unkept.set(photo.id, photo);
  }
  await announce();
}

export async function changePhotos(
  isMeant: (photo: WaitingPhoto) => boolean,
  changes: Partial<WaitingPhoto>,
): Promise<void> {
  change(unkept.values());
  await changeStoredPhotos(isMeant, changes).catch(async () => change(await readPhotos()));
  await announce();

  function change(photos: Iterable<WaitingPhoto>) {
    for (const photo of [...photos].filter(isMeant)) unkept.set(photo.id, { ...photo, ...changes });
  }
}

export async function forgetPhotos(isMeant: (photo: WaitingPhoto) => boolean): Promise<void> {
  await Promise.allSettled(taking);
  const ids = (await readPhotos()).filter(isMeant).map(({ id }) => id);
  for (const id of ids) unkept.delete(id);
  await deleteStoredPhotos(ids).catch(() => undefined);
  await announce();
}

/**
 * From a draft to the outbox, from there to the post that was made of it, or back to a draft.
 * @param refusal why they are not to be sent from there.
 */
export async function movePhotos(from: string, to: string, refusal: string | null = null): Promise<void> {
  await Promise.allSettled(taking);
  await changePhotos(({ place }) => place === from, { place: to, userId: senderAt(to), refusal });
}

/** Those that are meant, or null until they are read. */
export function useWaitingPhotos(isMeant: (photo: WaitingPhoto) => boolean): WaitingPhoto[] | null {
  const [photos, setPhotos] = useState<WaitingPhoto[] | null>(null);
  useEffect(() => {
    let isGone = false;
    const read = () => void readPhotos().then((all) => !isGone && setPhotos(all));
    const stop = onPhotosChange(read);
    read();
    return () => {
      isGone = true;
      stop();
    };
  }, []);
  return photos?.filter(isMeant) ?? null;
}

async function announce(): Promise<void> {
  notePhotos((await readPhotos()).length + taking.size);
}
