import { expect, type Page } from '@playwright/test';
import type { PostEntry } from '#contract/posts.ts';
import { callApi, type Person } from './e2e-people.ts';

/** Waits until the service worker has the page, and has kept the files that fit for when there is no network. */
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

/** Waits until the posts that an account has seen are kept on its phone. */
export async function waitUntilSeen(page: Page): Promise<void> {
  await expect.poll(() => seenAccounts(page)).toHaveLength(1);
}

export function seenAccounts(page: Page): Promise<string[]> {
  return page.evaluate(() => Object.keys(localStorage).filter((key) => /^seenPosts:(?!visitor)/.test(key)));
}

/** What the account has posted, as the server knows it. */
export async function ownTitles({ token }: Person): Promise<string[]> {
  const posts = await callApi<PostEntry[]>('GET', '/api/posts/by-owner', { token });
  return posts.map(({ Post }) => Post.title);
}

/** What a browser prints of every request that a network cut off. */
export const CUT_OFF =
  /Expected a JavaScript-or-Wasm module script|dynamically imported module|ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to load resource/;
