import { type ComponentProps, type ComponentType, useCallback, useEffect, useState } from 'react';
import type { Toast, ToastStack } from './toast-stack.tsx';

/** Most visits see no toast, so the code that shows them comes with the first. */
const load = () => import('./toast-stack.tsx');
/** What no longer fits has been seen longest. */
const STACKED_MAX = 3;

const listeners = new Set<(toast: Toast) => void>();
let shownCount = 0;

function show(tone: Toast['tone'], text: string, id = `toast-${++shownCount}`): void {
  for (const listener of listeners) listener({ id, tone, text });
}

export const showToast = {
  success: (text: string): void => show('success', text),
  /** @param id shows it once, however often it is asked for while it stands. */
  error: (text: string, id?: string): void => show('error', text, id),
  notice: (text: string): void => show('notice', text),
};

/** Where the toasts appear, newest first. */
export function ToastRegion() {
  const [toasts, setToasts] = useState<Toast[]>([]);
  const [Stack, setStack] = useState<ComponentType<ComponentProps<typeof ToastStack>> | null>(null);
  const close = useCallback((id: string) => setToasts((shown) => shown.filter((toast) => toast.id !== id)), []);

  useEffect(() => {
    function add(toast: Toast): void {
      setToasts((shown) => (shown.some(({ id }) => id === toast.id) ? shown : [toast, ...shown].slice(0, STACKED_MAX)));
      load().then(
        ({ ToastStack }) => setStack(() => ToastStack),
        // By the time that the code can be had, nobody would know what the message is about.
        () => setToasts([]),
      );
    }
    listeners.add(add);
    return () => {
      listeners.delete(add);
    };
  }, []);

  // Here from the start: what comes into the page together with its text is not read out.
  return <div aria-live="polite">{Stack && toasts.length > 0 && <Stack toasts={toasts} onClose={close} />}</div>;
}
