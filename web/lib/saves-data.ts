/** Whether the phone, or the person, asks that no byte be spent that nobody asked for. */
export function savesData(): boolean {
  // Not in every browser, nor in TypeScript's own types.
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  return connection?.saveData === true || (globalThis.matchMedia?.('(prefers-reduced-data: reduce)').matches ?? false);
}
