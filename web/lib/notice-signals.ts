import { useLayoutEffect } from 'react';
import { createStore, useStore } from './store.ts';

// The first page shows the bell and may hold notices back; visitors never load the code of the notices.

/** What holds notices back: an open dialog, or a half-filled form. */
type Hold = 'dialog' | 'form';

/** How many dialogs and forms hold notices back, how many notices wait, and whether the user wants them despite the form. */
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

/** Set by the notices: how many would be shown now if nothing held them, and whether one is shown. */
export function setWaitingNotices(count: number, isOneShown: boolean): void {
  change({ waiting: isOneShown ? 0 : count, ...(count === 0 && !isOneShown && { areWanted: false }) });
}

/** Shows the notices that a form holds back. */
export function wantNotices(): void {
  change({ areWanted: true });
}

/** Returns how many notices this kind of hold keeps waiting. A form behind a dialog keeps none. */
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

/** Set by the notices once their code is loaded. */
export function setUnreadNotices(notices: number, claims: number): void {
  const before = unread.get();
  if (notices !== before.notices || claims !== before.claims) unread.set({ notices, claims });
}

export function useUnreadNotices() {
  return useStore(unread);
}
