import type { Page } from '@playwright/test';

/** 400 kbit/s in bytes a second, and the way there and back: a village at the edge of the network. */
const BYTES_PER_SECOND = 50_000;
const LATENCY_MS = 300;
const SCRIPTS_LATE_MS = 2_000;

/** Has the page load over such a line, and its scripts two seconds late besides. */
export async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: LATENCY_MS,
    downloadThroughput: BYTES_PER_SECOND,
    uploadThroughput: BYTES_PER_SECOND,
  });
  await page.route('**/assets/*.js', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, SCRIPTS_LATE_MS));
    await route.continue();
  });
}
