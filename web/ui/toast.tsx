import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { createEvent } from '#web/lib/store.ts';
import type { Message } from './toaster.tsx';

/** Loads react-toastify when the first toast is shown, because most visits show none. */
const load = () => import('./toaster.tsx');

const { emit: show, on: onToast } = createEvent<[Message]>();

export const showToast = {
  success: (text: string): void => show({ tone: 'success', text }),
  /** @param id identifies the message: while a toast with this id is visible, no second one is shown. */
  error: (text: string, id?: string): void => show({ tone: 'error', text, id }),
  notice: (text: string): void => show({ tone: 'notice', text }),
};

/** The place of the toasts on the screen. */
export function ToastRegion() {
  const [Toaster, setToaster] = useState<Awaited<ReturnType<typeof load>>['Toaster'] | null>(null);

  useEffect(() => {
    let isMounted = true;
    const add = (message: Message) =>
      void load().then(
        ({ Toaster, addToast }) => {
          // react-toastify would queue the toast, and show it in the next container.
          if (!isMounted) return;
          // Mounts the container before the toast is added. Otherwise react-toastify would queue the toast.
          flushSync(() => setToaster(() => Toaster));
          addToast(message);
        },
        // If the toaster cannot be loaded, the message is dropped: a late message would be useless.
        () => {},
      );
    const stop = onToast(add);
    return () => {
      isMounted = false;
      stop();
    };
  }, []);

  // Rendered from the start: a screen reader ignores a live region that appears together with its text.
  return <div aria-live="polite">{Toaster && <Toaster />}</div>;
}
