import { type ComponentType, useEffect, useState } from 'react';

/** Most visits see no toast, so the code that shows them comes with the first. */
const load = () => import('./toast-container.tsx');

type Listener = () => void;
const listeners = new Set<Listener>();
let isWanted = false;

/** Where the toasts appear. */
export function ToastRegion() {
  const [Container, setContainer] = useState<ComponentType | null>(null);
  useEffect(() => {
    const show = () => void load().then(({ Toasts }) => setContainer(() => Toasts));
    if (isWanted) show();
    listeners.add(show);
    return () => {
      listeners.delete(show);
    };
  }, []);
  return Container && <Container />;
}

/** A toast that comes before its container stands in the library's queue until then. */
function want(): ReturnType<typeof load> {
  isWanted = true;
  for (const listener of [...listeners]) listener();
  return load();
}

export const showToast = {
  success: (text: string): void => void want().then(({ toast }) => toast.success(text)),
  /** @param id shows it once, however often it is asked for while it stands. */
  error: (text: string, id?: string): void =>
    void want().then(({ toast }) => toast.error(text, id === undefined ? {} : { toastId: id })),
};
