declare const self: ServiceWorkerGlobalScope;

/** A page that listens answers at once; one without anybody signed in does not listen. */
const ANSWER_WITHIN_MS = 1_000;

/** Goes to the address in a page that is open, so that nothing in it is loaded anew, or in a new one. */
export async function openApp(address: string): Promise<void> {
  // The one that was looked at last comes first.
  const [page] = await self.clients.matchAll({ type: 'window' });
  if (!page) {
    await self.clients.openWindow(address);
    return;
  }
  // A browser that does not let it come to the front lets it go there all the same.
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
