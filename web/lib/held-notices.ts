import { useLayoutEffect, useSyncExternalStore } from 'react';

// Apart from the notices' own code, which a visitor never loads, so that every dialog and form can hold them back.

/** What a notice waits for: an open dialog, or a form in the middle of being filled in. */
type Hold = 'dialog' | 'form';

const holds: Record<Hold, number> = { dialog: 0, form: 0 };
const listeners = new Set<() => void>();
let waiting = 0;
/** Whether the reader wants them in spite of the form. */
let areWanted = false;

/** Holds notices back as long as it is so. */
export function useNoticesHeld(by: Hold, isHolding = true): void {
  useLayoutEffect(() => {
    if (!isHolding) return;
    holds[by]++;
    announce();
    return () => {
      holds[by]--;
      announce();
    };
  }, [by, isHolding]);
}

export function areNoticesHeld(): boolean {
  return holds.dialog > 0 || (holds.form > 0 && !areWanted);
}

/** Set by the notices: how many would be shown now if nothing held them, and whether one is. */
export function setWaitingNotices(count: number, isOneShown: boolean): void {
  waiting = isOneShown ? 0 : count;
  if (count === 0 && !isOneShown) areWanted = false;
  announce();
}

/** The reader rather sees them now than when the form is done. */
export function wantNotices(): void {
  areWanted = true;
  announce();
}

export function onHoldChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** How many notices wait until what holds them is over, when it is this that does: a form behind a dialog does not. */
export function useHeldNotices(by: Hold): number {
  const read = () => {
    const holder: Hold = holds.dialog > 0 ? 'dialog' : 'form';
    return areNoticesHeld() && holder === by ? waiting : 0;
  };
  return useSyncExternalStore(onHoldChange, read, () => 0);
}

/** A moment later: where one dialog follows another, nothing comes between the two. */
function announce(): void {
  queueMicrotask(() => {
    for (const listener of [...listeners]) listener();
  });
}
