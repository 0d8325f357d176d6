import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Message } from './toaster.tsx';

/** Most visits show no toast, so react-toastify loads with the first one. */
const load = () => import('./toaster.tsx');

const listeners = new Set<(message: Message) => void>();

function show(message: Message): void {
  for (const listener of listeners) listener(message);
}

export const showToast = {
  success: (text: string): void => show({ tone: 'success', text }),
  /** @param id shows the message once, however often it is requested while it is visible. */
  error: (text: string, id?: string): void => show({ tone: 'error', text, id }),
  notice: (text: string): void => show({ tone: 'notice', text }),
};

/** Where the toasts appear. */
export function ToastRegion() {
  const [Toaster, setToaster] = useState<Awaited<ReturnType<typeof load>>['Toaster'] | null>(null);

  useEffect(() => {
    const add = (message: Message): Promise<void> =>
      load().then(
        ({ Toaster, addToast }) => {
          // react-toastify forgets what it gets before its container is mounted for good, which in development is twice.
          flushSync(() => setToaster(() => Toaster));
          addToast(message);
        },
        // A message that comes late is useless, so a toaster that cannot be loaded drops it.
        () => {},
      );
    listeners.add(add);
    return () => {
      listeners.delete(add);
    };
  }, []);

  // Rendered from the start: a screen reader ignores a live region that appears together with its text.
  return <div aria-live="polite">{Toaster && <Toaster />}</div>;
}
