import type { StartedProof } from '#contract/numbers.ts';

/** In the tab's own storage: a phone may forget the page while its reader is in WhatsApp. */
const KEY = 'numberProof';

/** A number that is being proven by a message. */
export type PendingProof = StartedProof & { number: string };

export function readPendingProof(): PendingProof | null {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as PendingProof | null;
  } catch {
    return null;
  }
}

export function keepPendingProof(proof: PendingProof): void {
  sessionStorage.setItem(KEY, JSON.stringify(proof));
}

export function forgetPendingProof(): void {
  sessionStorage.removeItem(KEY);
}
