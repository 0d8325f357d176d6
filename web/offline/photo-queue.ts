import { useEffect, useState } from 'react';
import { getSession } from '#web/api/session.ts';
import { notePhotos, onPhotosChange } from './photos-here.ts';

/**
 * A photo that is not uploaded yet has a place: first the key of a draft, then a post in the outbox (`inOutbox`), at
 * last the created post (`atPost`). photo-sender.ts uploads the photos of created posts.
 */
export const inOutbox = (idempotencyKey: string): string => `outbox:${idempotencyKey}`;
export const atPost = (postId: string): string => `post:${postId}`;

/** Returns the account that will upload a photo from this place; null if the place is a draft. */
export function senderAt(place: string): string | null {
  return place.startsWith('postDraft:') ? null : (getSession()?.userId ?? null);
}

/** Photos that are only in memory, because the phone's storage is full. They are lost when the page closes. */
const unkept = new Map<string, WaitingPhoto>();

/** Chosen photos that are still being read and made smaller. */
const taking = new Set<Promise<void>>();

/** Registers photos that are being read, so that moving or deleting photos waits until they are stored. */
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

/** Returns all photos in the order in which the form shows them. */
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
 * Moves photos from one place to another, for example from a draft to the created post.
 * @param refusal why the photos cannot be uploaded from the new place; null if they can.
 */
export async function movePhotos(from: string, to: string, refusal: string | null = null): Promise<void> {
  await Promise.allSettled(taking);
  await changePhotos(({ place }) => place === from, { place: to, userId: senderAt(to), refusal });
}

/** Returns the photos that `isMeant` selects, or null until they are read. */
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

/** A photo that is not uploaded yet, already made smaller. */
export type WaitingPhoto = {
  /** Also the idempotency key of the upload, so that a repeated upload adds one photo. */
  id: string;
  /** A draft's key, a post in the outbox (`inOutbox`) or a created post (`atPost`). */
  place: string;
  /** The account that uploads the photo; null if the photo belongs to a draft. */
  userId: string | null;
  order: number;
  alt: string;
  picture: Blob;
  /** Why the photo cannot be uploaded, in the app's language at the time of the refusal; null if it can. */
  refusal: string | null;
};

const STORE = 'photos';
let opening: Promise<IDBDatabase> | null = null;

/**
 * Stores the photos on the phone.
 * @throws if the phone's storage is full or forbidden. The other functions that read or change stored photos throw too.
 */
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

/**
 * Reads and changes the photos in one transaction. With two transactions, a photo that is deleted between them would be
 * stored again.
 */
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

/** @returns once the transaction is complete. */
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
 * Returns an object URL for a stored picture. Uses the first blob for as long as the component is mounted: each read of
 * the storage returns a new blob of the same picture, which would make the image load again.
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
