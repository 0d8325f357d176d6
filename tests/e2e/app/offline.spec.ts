import type { Page } from '@playwright/test';
import { test as base, expect, newAdmin, newCommunity } from '#tests/support/e2e-fixtures.ts';
import {
  CUT_OFF,
  type DeployableApp,
  keptFiles,
  ownTitles,
  seenAccounts,
  startDeployableApp,
  waitUntilKept,
  waitUntilSeen,
} from '#tests/support/e2e-offline.ts';
import { appOrigin, callApi, newPost } from '#tests/support/e2e-people.ts';
import { sendPost } from '#tests/support/e2e-screen.ts';

const test = base.extend<{ deployable: DeployableApp }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from the pattern.
  expectedErrors: async ({}, use) => use([CUT_OFF]),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from the pattern.
  deployable: async ({}, use) => {
    const app = await startDeployableApp(appOrigin());
    await use(app);
    await app.close();
  },
});

test.use({ serviceWorkers: 'allow' });

async function logOut(page: Page): Promise<void> {
  const menu = page.getByRole('button', { name: 'Open menu' });
  if (await menu.isVisible()) await menu.press('Enter');
  await page.getByRole('button', { name: 'Logout' }).press('Enter');
}

test('a post written without a network is stored, and is posted exactly once when the network returns', async ({
  person,
  openAs,
}) => {
  const writer = await person();
  const page = await openAs(writer, '/create-post');
  await waitUntilKept(page, /my-posts-screen/);
  await page.context().setOffline(true);
  await expect(page.getByText('You are offline.')).toBeVisible();
  await sendPost(page, { title: 'Kitambulisho cha NIDA cha Neema' });
  await expect(page.getByText('It is posted automatically when the network returns.').first()).toBeVisible();
  await expect(page).toHaveURL(/\/my-posts$/);
  await expect(page.getByText('It is posted once, automatically, when the network returns.')).toBeVisible();
  expect(await ownTitles(writer)).toEqual([]);
  // The waiting post survives a reload.
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Kitambulisho cha NIDA cha Neema' })).toBeVisible();

  // The first response is lost: the Worker has stored the post, but the phone does not know that.
  await page.route(
    '**/api/posts',
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  const lost = page.waitForEvent('requestfailed', (request) => request.method() === 'POST');
  await page.context().setOffline(false);
  await lost;
  await expect.poll(() => ownTitles(writer)).toEqual(['Kitambulisho cha NIDA cha Neema']);
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await expect(page.getByText('Posted: Kitambulisho cha NIDA cha Neema')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Posts waiting for the network' })).toBeEmpty();
  await expect(page.getByRole('heading', { name: 'Kitambulisho cha NIDA cha Neema' })).toHaveCount(1);
  expect(await ownTitles(writer)).toEqual(['Kitambulisho cha NIDA cha Neema']);
});

test('logging out while posts wait to be sent asks for confirmation, then deletes these posts from the phone', async ({
  person,
  openAs,
}) => {
  const writer = await person();
  const page = await openAs(writer, '/create-post');
  await waitUntilKept(page, /my-posts-screen/);
  // The log-out dialog needs this module, which the service worker caches after the screen's modules.
  await waitUntilKept(page, /photo-queue/);
  await page.context().setOffline(true);
  await sendPost(page, { title: 'Mkoba wa shule' });
  await expect(page).toHaveURL(/\/my-posts$/);
  await logOut(page);
  const question = page.getByRole('dialog', { name: '1 post has not been sent yet' });
  await expect(question).toContainText('Mkoba wa shule');
  await question.getByRole('button', { name: 'Stay logged in' }).click();
  await expect(page.getByRole('heading', { name: 'Mkoba wa shule' })).toBeVisible();

  await logOut(page);
  await question.getByRole('button', { name: 'Delete and log out' }).click();
  await expect(page).toHaveURL(/\/login$/);
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain('Mkoba wa shule');
  await page.context().setOffline(false);
  await page.reload();
  await waitUntilKept(page);
  expect(await ownTitles(writer)).toEqual([]);
});

test('without a network, posts seen before are shown with the time of the last download; they are deleted at sign-out', async ({
  person,
  openAs,
}) => {
  const author = await person();
  const { id } = await newPost(author, { title: 'Pochi ya ngozi imeokotwa', description: 'Ina kadi mbili na picha.' });
  const page = await openAs(author, '/view-posts');
  await expect(page.getByText('Pochi ya ngozi imeokotwa').first()).toBeVisible();
  await waitUntilKept(page, /post-screen/);
  await waitUntilSeen(page);
  await page.context().setOffline(true);
  await page.reload();
  await expect(page.getByText('Pochi ya ngozi imeokotwa').first()).toBeVisible();
  await expect(page.getByText(/Saved on this phone, last updated/)).toBeVisible();
  await page.goto(`/posts/${id}`);
  await expect(page.getByText('Ina kadi mbili na picha.')).toBeVisible();
  await expect(page.getByText(/Saved on this phone, last updated/)).toBeVisible();

  await page.context().setOffline(false);
  await logOut(page);
  await expect(page).toHaveURL(/\/login$/);
  expect(await seenAccounts(page)).toEqual([]);
});

test('a second visit downloads no bytes of the app’s code and styles', async ({ page }) => {
  await page.goto('/');
  await waitUntilKept(page);
  const loaded = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
  const assets = loaded.filter((url) => url.includes('/assets/'));
  await expect
    .poll(async () => (await keptFiles(page)).filter((url) => assets.includes(url)).length)
    .toBe(assets.length);
  await page.reload({ waitUntil: 'load' });
  const paid = await page.evaluate(() =>
    [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
      .map((entry) => entry as PerformanceResourceTiming)
      .filter(({ transferSize }) => transferSize > 0)
      .map(({ name, transferSize }) => `${name} ${transferSize}`),
  );
  expect(paid).toEqual([]);
});

test('a screen reloads the page once if a deployment has replaced the screen’s script', async ({
  page,
  deployable,
}) => {
  await page.goto(deployable.origin);
  // Waits for the app: only a running app notices that the test changes the URL.
  await expect(page.locator('[data-prerendered]')).toHaveCount(0);
  await page.evaluate(() => sessionStorage.setItem('visited', 'yes'));
  deployable.remove(/forgot-password-screen/);
  let loads = 0;
  page.on('load', () => loads++);
  await page.evaluate(() => {
    history.pushState(null, '', '/forgot-password');
    dispatchEvent(new PopStateEvent('popstate'));
  });
  await expect.poll(() => loads).toBe(1);
  await expect(page.getByRole('heading', { name: 'This page could not be shown' })).toBeVisible();
  expect(loads).toBe(1);
});

test('a screen opened without a network shows a message, and loads when the network returns', async ({ openAs }) => {
  const admin = await newAdmin();
  const post = await newPost(admin, { title: `Pochi ${admin.id.slice(0, 8)}` });
  const { id, name } = await newCommunity(admin, `Kata ${admin.id.slice(0, 8)}`);
  const message = `Ujumbe ${admin.id.slice(0, 8)}`;
  await callApi('POST', '/api/feedback', { body: { email: admin.email, message } });
  const page = await openAs(admin, '/');
  await waitUntilKept(page, /my-posts-screen/);

  const screens: [path: string, sentence: string, content: string][] = [
    [`/posts/${post.id}`, 'There was no answer. Check your connection.', post.title],
    ['/view-posts', 'Error loading posts: There was no answer. Check your connection.', post.title],
    ['/my-posts', 'Error loading posts: There was no answer. Check your connection.', post.title],
    ['/communities', 'Failed to fetch communities', name],
    [`/community-details/${id}`, 'Failed to fetch communities', 'Total Posts'],
    [`/community-details/${id}?tab=members`, 'Failed to fetch communities', admin.username],
    ['/notices', 'Your notices could not be loaded.', 'No notices yet'],
    // The service worker does not cache the administration's code.
    ['/admin?tab=feedback', 'This page could not be shown', message],
  ];
  for (const [path, sentence, content] of screens) {
    await test.step(path, async () => {
      await page.context().setOffline(true);
      await page.goto(path);
      await expect(page.getByText(sentence).first()).toBeAttached();
      await page.context().setOffline(false);
      await expect(page.getByText(content).first()).toBeVisible();
      await expect(page.getByRole('button', { name: /Try again|Reload/ })).toHaveCount(0);
    });
  }
});

test('a failure to load the list of posts is shown in a toast, and in place of the list when the toast has disappeared', async ({
  page,
}) => {
  await page.route('**/api/posts?*', (route) =>
    route.fulfill({ status: 403, json: { code: 'forbidden', detail: 'No.' } }),
  );
  await page.goto('/view-posts?community_code=X');
  const toast = page.getByRole('alert').filter({ hasText: 'Error loading posts: No.' });
  await expect(toast).toBeVisible();
  const place = page.getByRole('main').getByText('Error loading posts: No.');
  const isVisibleAt = (ms: number) =>
    place.evaluate((element, time) => {
      const [animation] = element.getAnimations();
      if (!animation) throw new Error('It is not told that it has to wait');
      animation.pause();
      animation.currentTime = time;
      return element.checkVisibility({ visibilityProperty: true });
    }, ms);
  expect(await isVisibleAt(2_900)).toBe(false);
  expect(await isVisibleAt(3_100)).toBe(true);
  await expect(page.getByRole('main').getByRole('button', { name: 'Try again' })).toBeVisible();
});
