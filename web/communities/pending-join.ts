/** Outlives the way through the sign-in, whichever link leads there; gone with the tab. */
const PENDING_KEY = 'pendingJoinCode';

export function keepPendingCode(code: string): void {
  sessionStorage.setItem(PENDING_KEY, code);
}

export function readPendingCode(): string {
  // The build renders this screen without a browser.
  if (typeof window === 'undefined') return '';
  return sessionStorage.getItem(PENDING_KEY) ?? '';
}

export function forgetPendingCode(): void {
  sessionStorage.removeItem(PENDING_KEY);
}
