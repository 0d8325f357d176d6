import { useLayoutEffect, useRef } from 'react';
import { useNoticesHeld } from '#web/lib/held-notices.ts';

/** A dialog on the platform's own element, open as long as it is rendered. The focus goes back to where it came from. */
export function useModal() {
  const dialog = useRef<HTMLDialogElement>(null);
  useNoticesHeld('dialog');
  // Before the element leaves the page: one that is closed after that gives no focus back.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return dialog;
}
