/** Written anew with every change, so that other tabs hear of it; absent while no photo waits on this phone. */
const KEY = 'photosHere';

const listeners = new Set<() => void>();
/** For a phone whose storage is full or forbidden. */
let isHere = false;

/** Whether photos wait on this phone, of whomever. What handles them is loaded only then. */
export function hasPhotos(): boolean {
  return isHere || localStorage.getItem(KEY) !== null;
}

export function notePhotos(count: number): void {
  isHere = count > 0;
  try {
    if (isHere) localStorage.setItem(KEY, String(Date.now()));
    else localStorage.removeItem(KEY);
  } catch {
    // Then this tab alone knows of them.
  }
  for (const listener of [...listeners]) listener();
}

/** Calls the listener when photos come, change or go, in this tab or another. */
export function onPhotosChange(listener: () => void): () => void {
  const hear = ({ key }: StorageEvent) => (key === KEY || key === null) && listener();
  listeners.add(listener);
  window.addEventListener('storage', hear);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', hear);
  };
}
