import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import lighthouse, { type Result } from 'lighthouse';
import { PROJECT_ROOT } from '#scripts/command/command.ts';
import { CHROMIUM_FLAGS, findChromium } from '#tests/support/processes.ts';
import { type BuiltApp, serveBuiltApp } from './built-app-server.ts';

/**
 * Measures the built app with Lighthouse's mobile profile (1.6 Mbit/s, 150 ms, 4× slower processor), with brotli
 * compression and an empty cache: `npm run build && npm run bench -- web [--runs N] [--worker http://127.0.0.1:8787]`.
 * Then measures in a browser that is throttled to that profile: when the first post is visible, when the app reacts to
 * a press, and what the next visit costs. The HTML page of /view-posts contains posts only if the option `--worker`
 * names a running Worker.
 * Prints the median run of each route, and writes all runs to .bench/web.json.
 */
const ROUTES = ['/', '/view-posts', '/login', '/register', '/communities'];

type Launched = { port: number; kill(): void };
type Launcher = { launch(options: { chromePath: string; chromeFlags: string[] }): Promise<Launched> };
type Row = Use & {
  route: string;
  lcp: number;
  cls: number;
  tbt: number;
  fcp: number;
  bytes: number;
  scores: Record<'performance' | 'accessibility' | 'best-practices' | 'seo', number>;
};

function readOption(name: string): string | undefined {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? undefined : process.argv[at + 1];
}

async function measure(route: string, app: BuiltApp, chromePath: string): Promise<Row> {
  // A new browser for each run, so that nothing is cached.
  const { launch } = createRequire(createRequire(import.meta.url).resolve('lighthouse'))('chrome-launcher') as Launcher;
  const chrome = await launch({ chromePath, chromeFlags: ['--headless=new', ...CHROMIUM_FLAGS] });
  try {
    const run = await lighthouse(app.origin + route, { port: chrome.port, logLevel: 'error', output: 'json' });
    if (!run) throw new Error(`Lighthouse said nothing of ${route}`);
    return { ...toRow(route, run.lhr), ...(await measureUse(app, route, chromePath)) };
  } finally {
    chrome.kill();
  }
}

function toRow(route: string, lhr: Result): Omit<Row, keyof Use> {
  const value = (audit: string) => lhr.audits[audit]?.numericValue ?? Number.NaN;
  const score = (category: string) => Math.round((lhr.categories[category]?.score ?? 0) * 100);
  for (const audit of Object.values(lhr.audits)) {
    // These two audits check files for robots, and belong to no category requested here.
    const isMeant = !['llms-txt', 'ard-schema'].includes(audit.id);
    const isWrong = isMeant && audit.score === 0 && audit.scoreDisplayMode === 'binary';
    if (isWrong) console.log(`  ${route}: ${audit.id}: ${audit.title}`);
  }
  return {
    route,
    lcp: value('largest-contentful-paint'),
    cls: value('cumulative-layout-shift'),
    tbt: value('total-blocking-time'),
    fcp: value('first-contentful-paint'),
    bytes: value('total-byte-weight'),
    scores: {
      performance: score('performance'),
      accessibility: score('accessibility'),
      'best-practices': score('best-practices'),
      seo: score('seo'),
    },
  };
}

function medianOf(rows: Row[]): Row {
  const sorted = rows.toSorted(
    (one, other) => one.scores.performance - other.scores.performance || other.lcp - one.lcp,
  );
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (!middle) throw new Error('No run');
  return middle;
}

function print(rows: Row[]): void {
  const head = ['route', 'LCP', 'FCP', 'CLS', 'TBT', 'bytes', 'first posts', 'usable', 'next visit'];
  console.log(`| ${[...head, 'performance', 'accessibility', 'best practices', 'SEO'].join(' | ')} |`);
  console.log(`| --- |${' --: |'.repeat(12)}`);
  for (const { route, lcp, fcp, cls, tbt, bytes, scores, ...use } of rows) {
    const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;
    const cells = [
      route,
      seconds(lcp),
      seconds(fcp),
      cls.toFixed(3),
      `${Math.round(tbt)} ms`,
      `${(bytes / 1000).toFixed(1)} kB`,
      use.postsSeenMs === null ? '' : seconds(use.postsSeenMs),
      seconds(use.usableMs),
      `${(use.againBytes / 1000).toFixed(1)} kB, ${use.againRequests} requests`,
    ];
    console.log(`| ${[...cells, ...Object.values(scores)].join(' | ')} |`);
  }
}

/**
 * The network of Lighthouse's mobile profile: the latency in ms, the throughput in bytes a second. Lighthouse itself
 * only simulates this network, so `measureUse` throttles the browser.
 */
const NETWORK = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 };
const CPU_SLOWDOWN = 4;
const PHONE = { width: 360, height: 800 };

const directory = readOption('dist') ?? join(PROJECT_ROOT, 'dist');
const chromePath = findChromium();
if (!existsSync(join(directory, 'index.html'))) throw new Error('Nothing is built: run `npm run build` first.');
if (chromePath === null) throw new Error('No Chromium was found: install it or set CHROMIUM_PATH.');
const runs = Number(readOption('runs') ?? 3);
const worker = readOption('worker');
const app = await serveBuiltApp({ directory, ...(worker && { worker }) });
const all: Row[] = [];
const medians: Row[] = [];
for (const route of ROUTES) {
  const rows: Row[] = [];
  for (let run = 0; run < runs; run++) rows.push(await measure(route, app, chromePath));
  all.push(...rows);
  medians.push(medianOf(rows));
}
app.server.close();
print(medians);
console.log(
  `Load of this machine's ${availableParallelism()} processors, mean of the last 15 minutes: ${loadavg()[2]?.toFixed(1)}`,
);
mkdirSync(join(PROJECT_ROOT, '.bench'), { recursive: true });
writeFileSync(join(PROJECT_ROOT, '.bench/web.json'), `${JSON.stringify(all, null, 2)}\n`);

/** Times are in ms after the navigation began. `postsSeenMs` is null if the screen has no posts. */
type Use = {
  postsSeenMs: number | null;
  /** When a press on the menu button first opens the menu: the app has then replaced the prerendered page. */
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
    // Each check forces a layout, so checks end after the first success.
    if (times.posts === null && [...document.querySelectorAll('article')].some(isSeen)) times.posts = performance.now();
    const menu = document.querySelector<HTMLElement>('#root [aria-controls="menu"]');
    if (menu && times.usable === null) press(menu);
    requestAnimationFrame(look);
  };
  const press = (menu: HTMLElement) => {
    menu.click();
    // React renders in a microtask after the press.
    queueMicrotask(() => {
      if (menu.ariaExpanded !== 'true') return;
      times.usable = performance.now();
      menu.click();
    });
  };
  look();
}

/** Measures a first visit on a slow phone with an empty cache, and the next visit. */
async function measureUse(app: BuiltApp, path: string, executablePath: string): Promise<Use> {
  const browser = await chromium.launch({ executablePath, args: CHROMIUM_FLAGS });
  try {
    const page = await browser.newPage({ viewport: PHONE });
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', NETWORK);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
    await page.addInitScript(watch);
    await page.goto(app.origin + path, { waitUntil: 'commit' });
    // Waiting for an idle network is not enough: a slow line also pauses between requests.
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
