import { useLayoutEffect } from 'react';
import { createStore, useStore } from './store.ts';

// Separate from the notices' own code, which visitors never load: every page can show the bell and hold notices back.

/** What holds notices back: an open dialog or a half-filled form. */
type Hold = 'dialog' | 'form';

/** How many dialogs and forms hold notices back, how many notices wait, and whether the user wants to see them now. */
const holds = createStore({ dialog: 0, form: 0, waiting: 0, areWanted: false });
type Holds = ReturnType<typeof holds.get>;

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

/** Called by web/notices. @param count the number of notices that would be shown if nothing held them back. */
export function setWaitingNotices(count: number, isOneShown: boolean): void {
  change({ waiting: isOneShown ? 0 : count, ...(count === 0 && !isOneShown && { areWanted: false }) });
}

/** Shows the notices that a form holds back. */
export function wantNotices(): void {
  change({ areWanted: true });
}

/** Returns how many notices wait because of a dialog (or form). If both hold notices back, only the dialog counts. */
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

/** What the bell shows. `claims`: how many claims wait for the user and have no unread notice. */
const unread = createStore({ notices: 0, claims: 0 });

/** Called by web/notices once its code is loaded. */
export function setUnreadNotices(notices: number, claims: number): void {
  const before = unread.get();
  if (notices !== before.notices || claims !== before.claims) unread.set({ notices, claims });
}

export function useUnreadNotices() {
  return useStore(unread);
}
