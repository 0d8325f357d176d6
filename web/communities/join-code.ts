import { paths } from '#web/lib/paths.ts';

/** Outlives the way through the sign-in, whichever link leads there; gone with the tab. */
const PENDING_KEY = 'pendingJoinCode';

/** What a code or a join link holds, ready for the box; anything else as it is. */
export function readJoinCode(text: string): string {
  const linked = /[?&]join=([^&#\s]+)/i.exec(text)?.[1];
  return decodeLoosely(linked ?? text).trim();
}

/** What a person sends to another, and what the QR code holds. */
export function joinLink(code: string): string {
  return `${window.location.origin}${joinPath(code)}`;
}

export function joinPath(code: string): string {
  return `${paths.communities}?join=${encodeURIComponent(code)}`;
}

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

function decodeLoosely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
