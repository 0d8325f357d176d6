import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { createEvent } from '#web/lib/store.ts';
import type { Message } from './toaster.tsx';

/** Most visits show no toast, so react-toastify loads with the first one. */
const load = () => import('./toaster.tsx');

const { emit: show, on: onToast } = createEvent<[Message]>();

export const showToast = {
  success: (text: string): void => show({ tone: 'success', text }),
  /** @param id shows the message once while it is visible, however often it is requested. */
  error: (text: string, id?: string): void => show({ tone: 'error', text, id }),
  notice: (text: string): void => show({ tone: 'notice', text }),
};

/** Where the toasts appear. */
export function ToastRegion() {
  const [Toaster, setToaster] = useState<Awaited<ReturnType<typeof load>>['Toaster'] | null>(null);

  useEffect(() => {
    const add = (message: Message) =>
      void load().then(
        ({ Toaster, addToast }) => {
          // react-toastify drops toasts created before its container is mounted, which happens twice in development.
          flushSync(() => setToaster(() => Toaster));
          addToast(message);
        },
        // If the toaster cannot be loaded the message is dropped, because a late one is useless.
        () => {},
      );
    return onToast(add);
  }, []);

  // Rendered from the start: a screen reader ignores a live region that appears together with its text.
  return <div aria-live="polite">{Toaster && <Toaster />}</div>;
}
