declare const self: ServiceWorkerGlobalScope;

/**
 * The browser has ended the subscription or replaced it. A new one is of use once the server has it, for which a page
 * has the session: the one that is open, or the next.
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
