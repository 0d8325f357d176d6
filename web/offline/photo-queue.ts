import { useEffect, useState } from 'react';
import { getSession } from '#web/api/session.ts';
import { notePhotos, onPhotosChange } from './photos-here.ts';

/**
 * The photos that are not uploaded yet. A photo waits with its draft, under the draft's key; then with a post in the
 * outbox; and, once the post exists, for its upload (photo-sender.ts).
 */
export const inOutbox = (idempotencyKey: string): string => `outbox:${idempotencyKey}`;
export const atPost = (postId: string): string => `post:${postId}`;

/** Returns the account that will upload the photos; null for a draft. */
export function senderAt(place: string): string | null {
  return place.startsWith('postDraft:') ? null : (getSession()?.userId ?? null);
}

/** Photos that the phone's storage refuses. They are lost when the page closes. */
const unkept = new Map<string, WaitingPhoto>();

/** Photos that are still being read. They belong to the draft from the moment they are chosen. */
const taking = new Set<Promise<void>>();

/** Tracks the reading of photos. Moving or deleting photos waits for it. */
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

/** In the order of the form. */
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
 * Moves photos from a draft to the outbox, from there to the created post, or back to a draft.
 * @param refusal why the photos must not be uploaded from there.
 */
export async function movePhotos(from: string, to: string, refusal: string | null = null): Promise<void> {
  await Promise.allSettled(taking);
  await changePhotos(({ place }) => place === from, { place: to, userId: senderAt(to), refusal });
}

/** Returns the matching photos, or null until they are read. */
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

/** A photo that waits for its upload, already made smaller. */
export type WaitingPhoto = {
  /** Also the idempotency key of the upload, which makes a repeated one harmless. */
  id: string;
  /** The key of the draft, the post in the outbox, or the existing post. */
  place: string;
  /** The account that uploads it; null while it belongs to a draft. */
  userId: string | null;
  order: number;
  alt: string;
  picture: Blob;
  /** The Worker's error, in the language of that time. */
  refusal: string | null;
};

const STORE = 'photos';
let opening: Promise<IDBDatabase> | null = null;

/** @throws if the phone's storage is full or forbidden, like the functions below. */
function storePhotos(photos: WaitingPhoto[]): Promise<void> {
  return inTransaction('readwrite', (store) => {
    for (const photo of photos) store.put(photo);
  });
}

async function readStoredPhotos(): Promise<WaitingPhoto[]> {
  let read: IDBRequest<WaitingPhoto[]> | undefined;
  await inTransaction('readonly', (store) => {
    read = store.getAll();
  });
  return read?.result ?? [];
}

/** In one transaction, so that a photo deleted meanwhile does not return. */
function changeStoredPhotos(isMeant: (photo: WaitingPhoto) => boolean, changes: Partial<WaitingPhoto>): Promise<void> {
  return inTransaction('readwrite', (store) => {
    const read: IDBRequest<WaitingPhoto[]> = store.getAll();
    read.onsuccess = () => {
      for (const photo of read.result.filter(isMeant)) store.put({ ...photo, ...changes });
    };
  });
}

function deleteStoredPhotos(ids: string[]): Promise<void> {
  return inTransaction('readwrite', (store) => {
    for (const id of ids) store.delete(id);
  });
}

/** @returns once the data is on the disk. */
async function inTransaction(mode: IDBTransactionMode, act: (store: IDBObjectStore) => void): Promise<void> {
  const transaction = (await open()).transaction(STORE, mode);
  act(transaction.objectStore(STORE));
  await new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
}

function open(): Promise<IDBDatabase> {
  opening ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open('patikana', 1);
    request.onupgradeneeded = () => void request.result.createObjectStore(STORE, { keyPath: 'id' });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  }).catch((error: unknown) => {
    opening = null;
    throw error;
  });
  return opening;
}

/**
 * Returns an object URL for a stored picture; undefined until it exists. Each read returns another copy of the blob, so
 * the first one is used.
 */
export function useBlobAddress(latest: Blob): string | undefined {
  const [blob] = useState(latest);
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(blob);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  return address;
}
