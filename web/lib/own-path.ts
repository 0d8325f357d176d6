/** Where a screen asked to come back to: only ever an address of our own, else null. */
export function ownPath(from: unknown): string | null {
  return typeof from === 'string' && from.startsWith('/') && !from.startsWith('//') ? from : null;
}
