import { test as base, expect, newAdmin, newCommunity } from '#tests/support/e2e-fixtures.ts';
import { CUT_OFF, waitUntilKept } from '#tests/support/e2e-offline.ts';
import { callApi, newPost } from '#tests/support/e2e-people.ts';

const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from the pattern.
  expectedErrors: async ({}, use) => use([CUT_OFF]),
});

test.use({ serviceWorkers: 'allow' });

test('screens opened offline say so, and load when the network returns', async ({ openAs }) => {
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
    // The service worker does not cache its code.
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

test('posts that fail to load are reported in a toast first, and in their place once the toast is gone', async ({
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
