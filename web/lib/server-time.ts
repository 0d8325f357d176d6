/** How far the server's clock is ahead of this phone's clock, which may be wrong. */
let aheadMs = 0;

/** Updates the difference between the clocks from a response. */
export function noteServerTime(headers: Headers): void {
  const serverNow = Date.parse(headers.get('Date') ?? '');
  if (!Number.isNaN(serverNow)) aheadMs = serverNow - Date.now();
}

/** Converts a server time to this phone's clock, in milliseconds. */
export function toPhoneTime(iso: string): number {
  return Date.parse(iso) - aheadMs;
}
