declare const self: ServiceWorkerGlobalScope;

/**
 * The cache with the ids of notices that were read, acknowledged or withdrawn. The ids are stored because a service
 * worker loses its variables between two events.
 */
const CACHE = 'ended-notices';
const LIST = '/ended-notices';
const KEPT = 200;

/** Records that notices were read, acknowledged or withdrawn, and closes their notifications. */
export async function endNotices(ids: string[]): Promise<void> {
  const known = await readEnded();
  const cache = await caches.open(CACHE);
  await cache.put(LIST, Response.json([...new Set([...known, ...ids])].slice(-KEPT)));
  await closeEnded();
}

/**
 * Closes the notifications of notices that `endNotices` has recorded.
 * @param justShown the id of the notice whose push has just arrived. The notification of this notice stays open,
 * because browsers require that every push shows a notification.
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

/** The time within which an open page must confirm that it opens the address. */
const ANSWER_WITHIN_MS = 1_000;

/** Opens the address in an open page, without a reload, or in a new one. */
export async function openApp(address: string): Promise<void> {
  // The first page in the list is the one that had the focus last.
  const [page] = await self.clients.matchAll({ type: 'window' });
  if (!page) {
    await self.clients.openWindow(address);
    return;
  }
  // Some browsers refuse the focus but allow the navigation.
  await page.focus().catch(() => undefined);
  if (!(await goTo(page, address))) await page.navigate(address);
}

function goTo(page: WindowClient, address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => resolve(true);
    setTimeout(() => resolve(false), ANSWER_WITHIN_MS);
    page.postMessage({ type: 'open', address }, [port2]);
  });
}

/**
 * Called when the browser has ended or replaced the push subscription. The service worker has no session, so it asks
 * the open pages to send the new subscription to the server.
 */
export async function renewSubscription({
  oldSubscription,
  newSubscription,
}: PushSubscriptionChangeEvent): Promise<void> {
  const { applicationServerKey = null } = oldSubscription?.options ?? {};
  if (!newSubscription && applicationServerKey) {
    await self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
  }
  for (const page of await self.clients.matchAll({ type: 'window' })) page.postMessage({ type: 'push-changed' });
}
