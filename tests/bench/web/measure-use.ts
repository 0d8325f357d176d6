import { chromium } from '@playwright/test';
import { CHROMIUM_FLAGS } from '#tests/support/find-chromium.ts';

/** Lighthouse's mobile profile, in bytes a second, held to by the browser itself and not reckoned afterwards. */
const NETWORK = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 };
const CPU_SLOWDOWN = 4;
const PHONE = { width: 360, height: 800 };

/** In ms after the navigation began; null where the screen has no posts. */
export type Use = {
  postsSeenMs: number | null;
  /** The app has taken the place of the page: a press does what it says. */
  usableMs: number;
  /** On the way to a second visit, and how often its requests went there. */
  againBytes: number;
  againRequests: number;
};

type Times = { posts: number | null; usable: number | null };

/** Notes the first frame in which a post is on the screen, and the first in which the app is. */
function watch(): void {
  const times: Times = { posts: null, usable: null };
  Object.assign(window, { times });
  const look = () => {
    const isSeen = (post: Element) => post.checkVisibility() && post.getBoundingClientRect().top < innerHeight;
    if ([...document.querySelectorAll('article')].some(isSeen)) times.posts ??= performance.now();
    const isTaken = document.readyState !== 'loading' && !document.querySelector('[data-prerendered]');
    if (isTaken && document.querySelector('#root > *')) times.usable ??= performance.now();
    requestAnimationFrame(look);
  };
  look();
}

/** A first visit on a slow phone, in a browser that has seen nothing, and the next one. */
export async function measureUse(address: string, executablePath: string): Promise<Use> {
  const browser = await chromium.launch({ executablePath, args: CHROMIUM_FLAGS });
  try {
    const page = await browser.newPage({ viewport: PHONE });
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', NETWORK);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
    await page.addInitScript(watch);
    await page.goto(address, { waitUntil: 'commit' });
    // Over a slow line there are pauses in which nothing is on its way.
    await page.waitForFunction(() => (window as unknown as { times: Times }).times.usable !== null);
    await page.waitForLoadState('networkidle');
    const { posts, usable } = await page.evaluate(() => (window as unknown as { times: Times }).times);
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);

    const again = { bytes: 0, requests: 0 };
    devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
      again.bytes += encodedDataLength;
      if (encodedDataLength > 0) again.requests++;
    });
    await page.goto(address, { waitUntil: 'networkidle' });
    return {
      postsSeenMs: posts,
      usableMs: usable ?? 0,
      againBytes: again.bytes,
      againRequests: again.requests,
    };
  } finally {
    await browser.close();
  }
}
