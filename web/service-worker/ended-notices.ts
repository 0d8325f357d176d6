declare const self: ServiceWorkerGlobalScope;

/** Where both the pages' word and this worker's next life find it; a worker keeps no variable between two events. */
const CACHE = 'ended-notices';
const LIST = '/ended-notices';
const KEPT = 200;

/** Remembers notices that were read or acknowledged, and takes down what is still shown of them. */
export async function endNotices(ids: string[]): Promise<void> {
  const known = await readEnded();
  const cache = await caches.open(CACHE);
  await cache.put(LIST, Response.json([...new Set([...known, ...ids])].slice(-KEPT)));
  await closeEnded();
}

/**
 * Takes down what is shown of notices that have ended meanwhile.
 * @param justShown stays, for a push must show something.
 */
export async function closeEnded(justShown?: string): Promise<void> {
  const ended = new Set(await readEnded());
  for (const notification of await self.registration.getNotifications()) {
    if (ended.has(notification.tag) && notification.tag !== justShown) notification.close();
  }
}

async function readEnded(): Promise<string[]> {
  const answer = await (await caches.open(CACHE)).match(LIST);
  return answer ? ((await answer.json()) as string[]) : [];
}
