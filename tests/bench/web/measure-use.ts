import { chromium } from '@playwright/test';
import { CHROMIUM_FLAGS } from '#tests/support/find-chromium.ts';
import type { BuiltApp } from './built-app-server.ts';

/** Lighthouse's mobile profile, in bytes a second, held to by the browser itself and not reckoned afterwards. */
const NETWORK = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 };
const CPU_SLOWDOWN = 4;
const PHONE = { width: 360, height: 800 };

/** In ms after the navigation began; null where the screen has no posts. */
export type Use = {
  postsSeenMs: number | null;
  /** A press on the menu opens it: the app has taken the place of the page. */
  usableMs: number;
  /** What the next visit brings from the server, and of how many requests. */
  againBytes: number;
  againRequests: number;
};

type Times = { posts: number | null; usable: number | null };

/** Notes the first frame in which a post is on the screen, and the first in which the app answers a press. */
function watch(): void {
  const times: Times = { posts: null, usable: null };
  Object.assign(window, { times });
  const isSeen = (post: Element) => post.checkVisibility() && post.getBoundingClientRect().top < innerHeight;
  const look = () => {
    // Looking has the browser lay the page out: no more of it than is needed.
    if (times.posts === null && [...document.querySelectorAll('article')].some(isSeen)) times.posts = performance.now();
    const menu = document.querySelector<HTMLElement>('#root [aria-controls="menu"]');
    if (menu && times.usable === null) press(menu);
    requestAnimationFrame(look);
  };
  const press = (menu: HTMLElement) => {
    menu.click();
    // React draws what a press has changed before anything else, but not within it.
    queueMicrotask(() => {
      if (menu.ariaExpanded !== 'true') return;
      times.usable = performance.now();
      menu.click();
    });
  };
  look();
}

/** A first visit on a slow phone, in a browser that has seen nothing, and the next one. */
export async function measureUse(app: BuiltApp, path: string, executablePath: string): Promise<Use> {
  const browser = await chromium.launch({ executablePath, args: CHROMIUM_FLAGS });
  try {
    const page = await browser.newPage({ viewport: PHONE });
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', NETWORK);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
    await page.addInitScript(watch);
    await page.goto(app.origin + path, { waitUntil: 'commit' });
    // Over a slow line there are pauses in which nothing is on its way.
    await page.waitForFunction(() => (window as unknown as { times: Times }).times.usable !== null);
    await page.waitForLoadState('networkidle');
    const { posts, usable } = await page.evaluate(() => (window as unknown as { times: Times }).times);
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);

    const before = app.countTraffic();
    await page.goto(app.origin + path, { waitUntil: 'networkidle' });
    const after = app.countTraffic();
    return {
      postsSeenMs: posts,
      usableMs: usable ?? 0,
      againBytes: after.bytes - before.bytes,
      againRequests: after.requests - before.requests,
    };
  } finally {
    await browser.close();
  }
}
