import { createServer } from 'node:http';
import { expect, type Page } from '@playwright/test';
import type { PostEntry } from '#contract/posts.ts';
import { callApi, type Person } from './e2e-people.ts';

/** Waits until the service worker controls the page, and has cached a file whose URL matches `file`. */
export async function waitUntilKept(page: Page, file = /home-screen/): Promise<void> {
  const isKept = async () => (await keptFiles(page)).some((url) => file.test(url));
  await expect.poll(isKept).toBe(true);
}

export function keptFiles(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    if (!navigator.serviceWorker.controller) return [];
    const shells = (await caches.keys()).filter((name) => name.startsWith('shell-'));
    const requests = await Promise.all(shells.map(async (name) => (await caches.open(name)).keys()));
    return requests.flat().map(({ url }) => url);
  });
}

/** Waits until the phone has stored the posts that the signed-in user has seen. */
export async function waitUntilSeen(page: Page): Promise<void> {
  await expect.poll(() => seenAccounts(page)).toHaveLength(1);
}

export function seenAccounts(page: Page): Promise<string[]> {
  return page.evaluate(() => Object.keys(localStorage).filter((key) => /^seenPosts:(?!visitor)/.test(key)));
}

/** Returns the titles of the person's posts on the server. */
export async function ownTitles({ token }: Person): Promise<string[]> {
  const posts = await callApi<PostEntry[]>('GET', '/api/posts/by-owner', { token });
  return posts.map(({ Post }) => Post.title);
}

/** Matches the errors that the browser logs for requests without a network. */
export const CUT_OFF =
  /Expected a JavaScript-or-Wasm module script|dynamically imported module|ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to load resource/;

/** Holds back the app's scripts. @returns a function that releases them. */
export async function holdScripts(page: Page): Promise<() => Promise<void>> {
  const { promise: isLetThrough, resolve: letThrough } = Promise.withResolvers<void>();
  await page.route('**/assets/*.js', async (route) => {
    await isLetThrough;
    await route.continue();
  });
  return async () => {
    letThrough();
    await expect(page.locator('[data-prerendered]')).toHaveCount(0);
  };
}

/** 400 kbit/s, as on a slow mobile connection. */
const BYTES_PER_SECOND = 50_000;
const LATENCY_MS = 300;
const SCRIPTS_LATE_MS = 2_000;

/** Makes the page load over a slow mobile connection, and delays each script by two more seconds. */
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

export type DeployableApp = {
  origin: string;
  /** Replaces the service worker by another version, as a deployment does. */
  deploy(): void;
  /** Removes the files whose URL matches, as a deployment does: requests for them get the home page instead. */
  remove(files: RegExp): void;
  close(): Promise<void>;
};

/** The running app behind a proxy that can simulate a deployment. */
export async function startDeployableApp(appOrigin: string): Promise<DeployableApp> {
  let version = 0;
  let removed: RegExp | null = null;
  const server = createServer(async (request, response) => {
    const isRemoved = removed?.test(request.url ?? '/') ?? false;
    const answer = await fetch(`${appOrigin}${isRemoved ? '/' : request.url}`, { method: request.method ?? 'GET' });
    const isWorker = request.url === '/service-worker.js';
    const body = isWorker ? `${await answer.text()}\n// ${version}` : Buffer.from(await answer.arrayBuffer());
    const kept = ['content-type', 'cache-control', 'content-security-policy', 'etag', 'location'];
    const headers = kept.flatMap((name) => (answer.headers.has(name) ? [[name, answer.headers.get(name) ?? '']] : []));
    response.writeHead(answer.status, Object.fromEntries(headers)).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    origin: `http://127.0.0.1:${port}`,
    deploy() {
      version++;
    },
    remove(files) {
      removed = files;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
