import type { Page } from '@playwright/test';
import { expect, test } from '#tests/support/e2e-fixtures.ts';
import { link, press, tabTo } from '#tests/support/e2e-keyboard.ts';
import { newOwnerName, newPost, type Person } from '#tests/support/e2e-people.ts';

const LICENCE = { title: 'Nimepoteza leseni ya udereva', posted_by: 'owner', description: '' } as const;
const FOUND = { title: 'Driving licence found', posted_by: 'finder', description: '' } as const;

/** The owner's page once the licence that she has lost turned up. */
async function openWithNotice(owner: Person, finder: Person, open: (path: string) => Promise<Page>): Promise<Page> {
  const name = newOwnerName();
  await newPost(owner, { ...LICENCE, ...name });
  const page = await open('/my-posts');
  await expect(page.getByRole('article')).toHaveCount(1);
  await newPost(finder, { ...FOUND, ...name });
  const dialog = page.getByRole('dialog', { name: 'A Matching Post Found!' });
  await expect(dialog.locator(':focus')).toHaveCount(1);
  return page;
}

test('the keyboard alone says that what a notice shows is not theirs', async ({ person, openAs }) => {
  const [owner, finder] = [await person(), await person()];
  const page = await openWithNotice(owner, finder, (path) => openAs(owner, path));
  const dialog = page.getByRole('dialog');
  await press(page, dialog.getByRole('button', { name: 'Not this one' }));
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText('Done. We will not show you these two posts together again.')).toBeVisible();
});

test('the keyboard alone opens the post of a notice', async ({ person, openAs }) => {
  const [owner, finder] = [await person(), await person()];
  const page = await openWithNotice(owner, finder, (path) => openAs(owner, path));
  const dialog = page.getByRole('dialog');
  await tabTo(page, dialog.getByRole('link', { name: 'Call' }));
  await press(page, dialog.getByRole('link', { name: 'View post' }));
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1, name: FOUND.title })).toBeVisible();
  await expect(page.locator('main')).toBeFocused();
});

test('the keyboard alone puts a notice away and finds it again, in the list and at the post', async ({
  person,
  openAs,
}) => {
  const [owner, finder] = [await person(), await person()];
  const page = await openWithNotice(owner, finder, (path) => openAs(owner, path));
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await press(page, page.getByRole('button', { name: '1 possible match' }));
  const matches = page.getByRole('dialog', { name: 'These might be it' });
  await expect(matches).toContainText(FOUND.title);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: '1 possible match' })).toBeFocused();

  await tabTo(page, page.getByRole('link', { name: /^Notices/ }), 'Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/notices$/);
  await expect(page.locator('main')).toBeFocused();
  await press(page, link(page, FOUND.title));
  await expect(page).toHaveURL(/\/posts\//);
  await expect(page.getByRole('heading', { level: 1, name: FOUND.title })).toBeVisible();
});
