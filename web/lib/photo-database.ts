/** A picture that is not yet at its post, ready to be sent. */
export type WaitingPhoto = {
  /** The key of its upload, too: it makes a repeated one harmless. */
  id: string;
  /** What it belongs to: a draft, a post that waits in the outbox, or one that is there (waiting-photos.ts). */
  place: string;
  /** Whose it is to be sent as; null while it belongs to a draft. */
  userId: string | null;
  order: number;
  alt: string;
  picture: Blob;
  /** What the Worker had against it, in the language of then. */
  refusal: string | null;
};

const STORE = 'photos';
let opening: Promise<IDBDatabase> | null = null;

/** @throws where the phone's storage is full or forbidden, as what follows. */
export function storePhotos(photos: WaitingPhoto[]): Promise<void> {
  return inTransaction('readwrite', (store) => {
    for (const photo of photos) store.put(photo);
  });
}

export async function readStoredPhotos(): Promise<WaitingPhoto[]> {
  let read: IDBRequest<WaitingPhoto[]> | undefined;
  await inTransaction('readonly', (store) => {
    read = store.getAll();
  });
  return read?.result ?? [];
}

/** In one step: one that is deleted meanwhile does not come back. */
export function changeStoredPhotos(
  isMeant: (photo: WaitingPhoto) => boolean,
  changes: Partial<WaitingPhoto>,
): Promise<void> {
  return inTransaction('readwrite', (store) => {
    const read: IDBRequest<WaitingPhoto[]> = store.getAll();
    read.onsuccess = () => {
      for (const photo of read.result.filter(isMeant)) store.put({ ...photo, ...changes });
    };
  });
}

export function deleteStoredPhotos(ids: string[]): Promise<void> {
  return inTransaction('readwrite', (store) => {
    for (const id of ids) store.delete(id);
  });
}

/** @returns once it is on the disk. */
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
