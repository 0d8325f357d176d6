import { createEvent } from '#web/lib/store.ts';

/** Rewritten with every change, so that other tabs get an event; absent while no photo waits on this phone. */
const KEY = 'photosHere';

const changed = createEvent();
/** For a phone whose storage is full or forbidden. */
let isHere = false;

/** Whether photos of any account wait on this phone. Only then is the code for them loaded. */
export function hasPhotos(): boolean {
  return isHere || localStorage.getItem(KEY) !== null;
}

export function notePhotos(count: number): void {
  isHere = count > 0;
  try {
    if (isHere) localStorage.setItem(KEY, String(Date.now()));
    else localStorage.removeItem(KEY);
  } catch {
    // Then only this tab knows about them.
  }
  changed.emit();
}

/** Calls the listener when waiting photos change, in this tab or another. */
export function onPhotosChange(listener: () => void): () => void {
  const hear = ({ key }: StorageEvent) => (key === KEY || key === null) && listener();
  const stop = changed.on(listener);
  window.addEventListener('storage', hear);
  return () => {
    stop();
    window.removeEventListener('storage', hear);
  };
}
