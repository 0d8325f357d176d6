import { useLayoutEffect } from 'react';
import { createStore, useStore } from './store.ts';

// Every page loads this file, because the bell, dialogs and forms need it. It therefore imports no code that shows
// notices: visitors never need that code.

/** What holds notices back: an open dialog or a half-filled form. */
type Hold = 'dialog' | 'form';

/**
 * How many dialogs are open, how many forms are half filled, how many notices these hold back, and whether the user has
 * asked to see the notices although a form is half filled.
 */
const holds = createStore({ dialog: 0, form: 0, waiting: 0, areWanted: false });
type Holds = ReturnType<typeof holds.get>;

/** Calls the listener at every change of `holds`, for example when a dialog closes. */
export const onHoldsChange = holds.on;

/** Holds notices back while `isHolding`. */
export function useNoticesHeld(by: Hold, isHolding = true): void {
  useLayoutEffect(() => {
    if (!isHolding) return;
    change({ [by]: holds.get()[by] + 1 });
    return () => change({ [by]: holds.get()[by] - 1 });
  }, [by, isHolding]);
}

export function areNoticesHeld(): boolean {
  return holderOf(holds.get()) !== null;
}

/**
 * Reports how many notices wait. Called by web/notices.
 * @param count how many notices are not yet shown.
 * @param isOneShown whether a notice is on the screen. If so, the others wait for the user to close this notice.
 */
export function setWaitingNotices(count: number, isOneShown: boolean): void {
  change({ waiting: isOneShown ? 0 : count, ...(count === 0 && !isOneShown && { areWanted: false }) });
}

/** Shows the notices that a form holds back. */
export function wantNotices(): void {
  change({ areWanted: true });
}

/**
 * Returns how many notices wait for the dialog to be closed, or for the form to be sent. If a dialog and a form are
 * open, all waiting notices count for the dialog.
 */
export function useHeldNotices(by: Hold): number {
  return useStore(holds, (current) => (holderOf(current) === by ? current.waiting : 0));
}

function holderOf({ dialog, form, areWanted }: Holds): Hold | null {
  if (dialog > 0) return 'dialog';
  return form > 0 && !areWanted ? 'form' : null;
}

function change(changes: Partial<Holds>): void {
  holds.set({ ...holds.get(), ...changes });
}

/**
 * The two numbers that the bell shows together: unread notices, and claims that wait for the user but have no unread
 * notice.
 */
const unread = createStore({ notices: 0, claims: 0 });

/** Sets the bell's two numbers. Called by web/notices after its code has loaded. */
export function setUnreadNotices(notices: number, claims: number): void {
  const before = unread.get();
  if (notices !== before.notices || claims !== before.claims) unread.set({ notices, claims });
}

export function useUnreadNotices() {
  return useStore(unread);
}
