/** By how much the server's clock is ahead of this phone's, which may well be wrong. */
let aheadMs = 0;

/** Learns it from an answer that has just come. */
export function noteServerTime(headers: Headers): void {
  const serverNow = Date.parse(headers.get('Date') ?? '');
  if (!Number.isNaN(serverNow)) aheadMs = serverNow - Date.now();
}

/** What this phone's clock shows at a moment of the server's, in milliseconds. */
export function toPhoneTime(iso: string): number {
  return Date.parse(iso) - aheadMs;
}
