const RELOADED_KEY = 'reloadedForChunk';
/** After a deploy the reload helps at once. A second failure this soon has another cause, and would only loop. */
const GUARD_MS = 60_000;

/** Whether a screen failed to load because a deploy has replaced its file. */
export function isStaleChunkError(error: unknown): boolean {
  return (
    error instanceof TypeError &&
    /dynamically imported module|module script failed|Failed to fetch module/i.test(error.message)
  );
}

/** Reloads the page, but not again and again. */
export function reloadOnce(): void {
  const last = Number(sessionStorage.getItem(RELOADED_KEY) ?? 0);
  if (Date.now() - last < GUARD_MS) return;
  sessionStorage.setItem(RELOADED_KEY, String(Date.now()));
  window.location.reload();
}
