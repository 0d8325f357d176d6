/** A file of the built app. `revision` is null if the file's name contains a hash. */
export type ShellFile = { url: string; revision: string | null };

/** How many versions stay cached: the current and the previous one. */
export const KEPT_VERSIONS = 2;

const PAGE = '/';

/** Returns the name of the cache for one version of the app. The name contains a hash of the version's files. */
export function shellName(files: ShellFile[]): string {
  let hash = 5381;
  for (const { url, revision } of files) {
    for (const letter of `${url} ${revision}`) hash = (Math.imul(hash, 33) ^ letter.charCodeAt(0)) >>> 0;
  }
  return `shell-${hash.toString(36)}`;
}

/**
 * Adds missing files to the cache. A file with a hash in its name is copied from an older version's cache, or from the
 * browser's cache, if possible. For any other file, the browser asks the server whether it has changed.
 * @throws if one file cannot be loaded, because an incomplete app does not work.
 */
export async function addMissing(name: string, files: ShellFile[]): Promise<void> {
  const cache = await caches.open(name);
  await Promise.all(
    files.map(async ({ url, revision }) => {
      if (await cache.match(url)) return;
      const known = revision === null ? await caches.match(url) : undefined;
      const response = known ?? (await fetch(url, { cache: revision === null ? 'default' : 'no-cache' }));
      const isPage = response.headers.get('Content-Type')?.startsWith('text/html') ?? false;
      // If a deployment has removed the file, the server answers with the app's page instead.
      if (!response.ok || (isPage && url !== PAGE)) throw new Error(`${url} answered ${response.status}`);
      await cache.put(url, response);
    }),
  );
}

export async function findPage(name: string): Promise<Response | undefined> {
  return (await caches.open(name)).match(PAGE);
}
