/** A file of the built app; a hashed one needs no revision. */
export type ShellFile = { url: string; revision: string | null };

/** The version in use and the one before it. */
export const KEPT_VERSIONS = 2;

const PAGE = '/';

/** Names the cache of one version by what is in it. */
export function shellName(files: ShellFile[]): string {
  let hash = 5381;
  for (const { url, revision } of files) {
    for (const letter of `${url} ${revision}`) hash = (Math.imul(hash, 33) ^ letter.charCodeAt(0)) >>> 0;
  }
  return `shell-${hash.toString(36)}`;
}

/**
 * Puts into the cache what is not there yet. A hashed file comes from a version before or from the browser's own
 * cache where it can; what may have changed under its name is asked for, at the cost of a 304 where it has not.
 * @throws when one cannot be had: half a shell is none.
 */
export async function addMissing(name: string, files: ShellFile[]): Promise<void> {
  const cache = await caches.open(name);
  await Promise.all(
    files.map(async ({ url, revision }) => {
      if (await cache.match(url)) return;
      const known = revision === null ? await caches.match(url) : undefined;
      const response = known ?? (await fetch(url, { cache: revision === null ? 'default' : 'no-cache' }));
      const isPage = response.headers.get('Content-Type')?.startsWith('text/html') ?? false;
      // A file that a deploy has taken away is answered with the page.
      if (!response.ok || (isPage && url !== PAGE)) throw new Error(`${url} answered ${response.status}`);
      await cache.put(url, response);
    }),
  );
}

export async function findPage(name: string): Promise<Response | undefined> {
  return (await caches.open(name)).match(PAGE);
}
