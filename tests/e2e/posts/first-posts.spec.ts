import { expect, test } from '#tests/support/e2e-fixtures.ts';
import { holdScripts } from '#tests/support/e2e-offline.ts';
import { newPost } from '#tests/support/e2e-people.ts';
import { readSeen, watch } from '#tests/support/e2e-screen.ts';

test.use({ serviceWorkers: 'allow' });

/** Returns everything in the service worker's caches. */
function readCaches(): Promise<string[]> {
  const readAll = async (name: string) => {
    const cache = await caches.open(name);
    const kept = await Promise.all((await cache.keys()).map((request) => cache.match(request)));
    return Promise.all(kept.map((response) => response?.text() ?? ''));
  };
  return caches.keys().then(async (names) => (await Promise.all(names.map(readAll))).flat());
}

test.describe('a visitor’s first minute in the list', () => {
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from the pattern.
  test.use({ expectedErrors: async ({}, use) => use([/ERR_INTERNET_DISCONNECTED/]) });

  test('the first posts are readable before any script, stay in place when the app loads, and are neither requested nor cached', async ({
    page,
    context,
    person,
  }) => {
    const { title } = await newPost(await person(), { title: `Mwavuli wa ${crypto.randomUUID().slice(0, 4)}` });
    const asked: string[] = [];
    page.on('request', (request) => {
      if (new URL(request.url()).pathname === '/api/posts') asked.push(request.url());
    });
    await watch(page);
    const letScriptsCome = await holdScripts(page);
    // In one chunk: otherwise the page's first part may end inside the navigation, which moves when the rest arrives.
    await page.route('**/view-posts', async (route) => route.fulfill({ response: await route.fetch() }), { times: 1 });
    await page.goto('/view-posts', { waitUntil: 'commit' });
    await expect(page.locator('[data-prerendered] article:visible', { hasText: title })).toBeVisible();
    await letScriptsCome();
    const card = page.locator('#root article', { hasText: title });
    await expect(card).toBeVisible();
    expect((await readSeen(page)).shift).toBe(0);
    expect(asked).toEqual([]);
    await expect.poll(() => page.evaluate(() => localStorage.getItem('seenPosts:visitor'))).toContain(title);

    await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
    const kept = await page.evaluate(readCaches);
    expect(kept.some((text) => text.includes('data-prerendered'))).toBe(true);
    expect(kept.filter((text) => text.includes(title))).toEqual([]);

    // From here on the page is the service worker's cached shell, and the app requests the posts.
    await page.reload();
    await expect(card).toBeVisible();
    expect(asked).toHaveLength(1);
    await card.getByRole('link', { name: title }).click();
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
    await page.goBack();
    await expect(card).toBeVisible();
    await context.setOffline(true);
    await page.reload();
    await expect(card).toBeVisible();
  });
});

test.describe('over a network that loses the app on its way', () => {
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from the pattern.
  test.use({ expectedErrors: async ({}, use) => use([/Failed to load resource/]) });

  test('a page whose script fails to load is reloaded exactly once', async ({ page }) => {
    let loads = 0;
    page.on('request', (request) => {
      if (request.isNavigationRequest()) loads++;
    });
    // The script requests a module again if its preload failed.
    await page.route('**/assets/app-*.js', (route) => (loads < 2 ? route.abort() : route.continue()));
    await page.goto('/login', { waitUntil: 'commit' });
    await expect.poll(() => loads).toBe(2);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Log in');
    await expect(page.locator('[data-prerendered]')).toHaveCount(0);
    expect(loads).toBe(2);
  });
});
