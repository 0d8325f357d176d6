import { createEvent } from '#web/lib/store.ts';

/**
 * The key that exists in local storage while this phone has unsent photos. Every change of the photos writes the key
 * again, so that other tabs get a storage event.
 */
const KEY = 'photosHere';

const changed = createEvent();
/** Whether there are unsent photos that this tab knows about. Used when the key could not be stored. */
let isHere = false;

/** Whether this phone has unsent photos of any account. Only then does the code for photos load. */
export function hasPhotos(): boolean {
  return isHere || localStorage.getItem(KEY) !== null;
}

export function notePhotos(count: number): void {
  isHere = count > 0;
  try {
    if (isHere) localStorage.setItem(KEY, String(Date.now()));
    else localStorage.removeItem(KEY);
  } catch {
    // Without storage, only this tab knows about the photos.
  }
  changed.emit();
}

/** Calls the listener when unsent photos change, in this tab or another. */
export function onPhotosChange(listener: () => void): () => void {
  const hear = ({ key }: StorageEvent) => (key === KEY || key === null) && listener();
  const stop = changed.on(listener);
  window.addEventListener('storage', hear);
  return () => {
    stop();
    window.removeEventListener('storage', hear);
  };
}
