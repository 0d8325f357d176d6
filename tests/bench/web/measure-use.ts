import { chromium } from '@playwright/test';
import { CHROMIUM_FLAGS } from '#tests/support/processes.ts';
import type { BuiltApp } from './built-app-server.ts';

/**
 * Lighthouse's mobile profile, in bytes a second. The browser throttles for real, instead of an estimate afterwards.
 */
const NETWORK = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 };
const CPU_SLOWDOWN = 4;
const PHONE = { width: 360, height: 800 };

/** In ms after the navigation began; null if the screen has no posts. */
export type Use = {
  postsSeenMs: number | null;
  /** When a press on the menu opens it: the app has replaced the page. */
  usableMs: number;
  /** The bytes and requests that the next visit causes. */
  againBytes: number;
  againRequests: number;
};

type Times = { posts: number | null; usable: number | null };

/** Records the first frame that shows a post, and the first in which the app reacts to a press. */
function watch(): void {
  const times: Times = { posts: null, usable: null };
  Object.assign(window, { times });
  const isSeen = (post: Element) => post.checkVisibility() && post.getBoundingClientRect().top < innerHeight;
  const look = () => {
    // Each check forces a layout, so there are no more than needed.
    if (times.posts === null && [...document.querySelectorAll('article')].some(isSeen)) times.posts = performance.now();
    const menu = document.querySelector<HTMLElement>('#root [aria-controls="menu"]');
    if (menu && times.usable === null) press(menu);
    requestAnimationFrame(look);
  };
  const press = (menu: HTMLElement) => {
    menu.click();
    // React renders after a press before any other task, but not synchronously.
    queueMicrotask(() => {
      if (menu.ariaExpanded !== 'true') return;
      times.usable = performance.now();
      menu.click();
    });
  };
  look();
}

/** Measures a first visit on a slow phone with an empty cache, and the next visit. */
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
    // A slow line has pauses in which no request is running.
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
