import { takeNewVersion } from './new-version.ts';

const RELOADED_KEY = 'reloadedForChunk';
/** After a deploy the reload helps at once. A second failure this soon has another cause, and would only loop. */
const GUARD_MS = 60_000;

/** Whether the code of a screen could not be loaded: because a deploy has replaced its file, or for want of a network. */
export function isChunkError(error: unknown): boolean {
  return (
    error instanceof Error && /dynamically imported module|module script failed|Unable to preload/i.test(error.message)
  );
}

/**
 * Whether a deploy has replaced the file that could not be loaded: its address then answers with a 404, or with the
 * page instead of a script. Without an answer it may only be the network, and a reload would lose what is on the screen.
 */
export async function isChunkGone(error: unknown): Promise<boolean> {
  if (!isChunkError(error) || !navigator.onLine) return false;
  // Safari does not say which file it was; then the page, which is always there, tells of the network alone.
  const url = /https?:\S+|\/assets\/\S+/.exec((error as Error).message)?.[0];
  try {
    const { ok, headers } = await fetch(url ?? '/', { method: 'HEAD', cache: 'no-store' });
    return !ok || (headers.get('Content-Type')?.startsWith('text/html') ?? false);
  } catch {
    return false;
  }
}

/** Reloads the page with the newest version, but not again and again. @returns whether it will. */
export function reloadOnce(reload: () => void = () => window.location.reload()): boolean {
  const last = Number(sessionStorage.getItem(RELOADED_KEY) ?? 0);
  if (Date.now() - last < GUARD_MS) return false;
  sessionStorage.setItem(RELOADED_KEY, String(Date.now()));
  void takeNewVersion(true).finally(reload);
  return true;
}
