import type { Page } from '@playwright/test';
import type { Post, PostEntry } from '#contract/posts.ts';
import { expect, test } from '#tests/support/e2e-fixtures.ts';
import { waitUntilKept } from '#tests/support/e2e-offline.ts';
import { callApi, newPost, type Person } from '#tests/support/e2e-people.ts';

test.use({ serviceWorkers: 'allow' });

function cardOf(page: Page, title: string) {
  return page.getByRole('article').filter({ hasText: title });
}

async function ownPosts({ token }: Person): Promise<Pick<Post, 'title' | 'is_found'>[]> {
  const posts = await callApi<PostEntry[]>('GET', '/api/posts/by-owner', { token });
  return posts.map(({ Post: { title, is_found } }) => ({ title, is_found }));
}

async function markFound(page: Page, title: string): Promise<void> {
  await cardOf(page, title).getByRole('button', { name: 'Mark as found' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Mark as found' }).click();
  await expect(cardOf(page, title).getByText('You can undo this for 10 more minutes.')).toBeVisible();
}

async function deletePost(page: Page, title: string): Promise<void> {
  await cardOf(page, title).getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText(`“${title}” has been deleted.`)).toBeVisible();
  await expect(cardOf(page, title)).toHaveCount(0);
}

test('the question before marking a post as found is closed by Back, and the marking can be undone after a reload and in another tab', async ({
  person,
  openAs,
}) => {
  const author = await person();
  // A unique title, because the modal of a match would cover the page.
  const { id } = await newPost(author, { title: 'Miwani', posted_by: 'owner', description: '', location: 'Tunduma' });
  const page = await openAs(author, '/my-posts');
  await cardOf(page, 'Miwani').getByRole('button', { name: 'Mark as found' }).click();
  await expect(page.getByRole('dialog', { name: 'Mark as found' })).toContainText('Do you have it back?');
  await expect(page).toHaveURL(`/my-posts?retrieved=${id}`);
  await page.goBack();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page).toHaveURL('/my-posts');
  await page.goForward();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.reload();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await expect(page).toHaveURL('/my-posts');
  expect(await ownPosts(author)).toEqual([{ title: 'Miwani', is_found: false }]);

  await markFound(page, 'Miwani');
  await expect(page).toHaveURL('/my-posts');
  expect(await ownPosts(author)).toEqual([{ title: 'Miwani', is_found: true }]);
  await page.reload();
  await cardOf(page, 'Miwani').getByRole('button', { name: 'Undo' }).click();
  await expect(cardOf(page, 'Miwani').getByRole('button', { name: 'Mark as found' })).toBeVisible();
  expect(await ownPosts(author)).toEqual([{ title: 'Miwani', is_found: false }]);

  const otherTab = await page.context().newPage();
  await otherTab.goto('/my-posts');
  await markFound(page, 'Miwani');
  await otherTab.reload();
  await cardOf(otherTab, 'Miwani').getByRole('button', { name: 'Undo' }).click();
  await expect(otherTab.getByText('Your post is open again.')).toBeVisible();
  await page.reload();
  await expect(cardOf(page, 'Miwani').getByRole('button', { name: 'Mark as found' })).toBeVisible();
  expect(await ownPosts(author)).toEqual([{ title: 'Miwani', is_found: false }]);
});

test('one deletion is undone, and another is sent after ten seconds', async ({ person, openAs }) => {
  const author = await person();
  for (const title of ['Pochi', 'Mwavuli']) await newPost(author, { title });
  const page = await openAs(author, '/my-posts');
  const sent: string[] = [];
  page.on('request', (request) => request.method() === 'DELETE' && sent.push(request.url()));
  await deletePost(page, 'Pochi');
  await deletePost(page, 'Mwavuli');
  await page.getByRole('button', { name: 'Undo' }).first().click();
  await expect(cardOf(page, 'Pochi')).toBeVisible();
  expect(sent).toEqual([]);
  expect(await ownPosts(author)).toHaveLength(2);
  await expect(page.getByText('Post deleted successfully!')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0);
  expect(await ownPosts(author)).toEqual([{ title: 'Pochi', is_found: false }]);
});

test('a deletion that is not undone is sent when the page is left or reloaded', async ({ person, openAs }) => {
  const author = await person();
  for (const title of ['Pochi', 'Mwavuli']) await newPost(author, { title });
  const page = await openAs(author, '/my-posts');
  // With an active service worker, which must not lose a request sent in the last moment.
  await waitUntilKept(page);
  await deletePost(page, 'Pochi');
  await page.reload();
  // Before the ten seconds to undo are over.
  await expect.poll(async () => (await ownPosts(author)).length, { timeout: 8_000 }).toBe(1);
  await deletePost(page, 'Mwavuli');
  await page.goto('about:blank');
  await expect.poll(async () => (await ownPosts(author)).length, { timeout: 8_000 }).toBe(0);
});
