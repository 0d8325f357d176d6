import type { Page } from '@playwright/test';
import { expect, test } from '#tests/support/e2e-fixtures.ts';
import { newOwnerName, newPost, type Person } from '#tests/support/e2e-people.ts';

const NOTICE = 'A Matching Post Found!';

/** A person who has lost a licence opens the page and connects. @returns a function that posts the found licence. */
async function openAsLoser(
  owner: Person,
  finder: Person,
  open: (path: string) => Promise<Page>,
  path: string,
): Promise<{ page: Page; find: (title?: string) => Promise<unknown> }> {
  const name = newOwnerName();
  await newPost(owner, { ...name, title: 'Nimepoteza leseni ya udereva', posted_by: 'owner', description: '' });
  const page = await open(path);
  await expect(page.getByRole('link', { name: /^Notices/ })).toBeVisible();
  const find = (title = 'Driving licence found') =>
    newPost(finder, { ...name, title, posted_by: 'finder', description: '' });
  return { page, find };
}

test('a notice waits behind a half-filled dialog, which says so, and opens after the dialog is closed', async ({
  person,
  openAs,
}) => {
  const [owner, finder] = [await person(), await person()];
  const { page, find } = await openAsLoser(owner, finder, (to) => openAs(owner, to), '/communities');
  await page.getByRole('button', { name: 'Create a community' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Community name').fill('Shule ya');
  await find();
  await expect(dialog.getByRole('status').getByText('1 notice is waiting until you close this.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Notices: 1 unread', includeHidden: true })).toBeVisible();
  await expect(dialog).toHaveCount(1);
  await expect(dialog.locator(':focus')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog', { name: NOTICE })).toContainText('Driving licence found');
  await expect(dialog).toHaveCount(1);
});

test('a notice waits behind a half-written post with a bar, is shown on request, and the next one waits again', async ({
  person,
  openAs,
}) => {
  const [owner, finder] = [await person(), await person()];
  const { page, find } = await openAsLoser(owner, finder, (to) => openAs(owner, to), '/create-post');
  await page.getByLabel('Title').fill('Simu nyeusi');
  await find();
  await expect(page.getByText('1 notice is waiting.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Notices: 1 unread' })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByLabel('Title')).toBeFocused();
  await page.getByRole('button', { name: 'Show now' }).click();
  await page.getByRole('dialog', { name: NOTICE }).getByRole('button', { name: 'Close' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByLabel('Title')).toBeFocused();

  await find('Another driving licence found');
  await expect(page.getByText('1 notice is waiting.')).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.getByRole('button', { name: 'Close the form' }).click();
  await expect(page.getByRole('dialog', { name: NOTICE })).toContainText('Another driving licence found');
});

test('confetti stays behind the text of a notice', async ({ person, openAs }) => {
  const [owner, finder] = [await person(), await person()];
  const { page, find } = await openAsLoser(owner, finder, (to) => openAs(owner, to), '/my-posts');
  await find();
  const dialog = page.getByRole('dialog', { name: NOTICE });
  await expect(dialog.locator('canvas')).toBeAttached();
  // The element painted on top would receive a press.
  const layers = await dialog.getByRole('heading', { name: NOTICE }).evaluate((heading) => {
    const canvas = heading.closest('dialog')?.querySelector('canvas');
    if (canvas) canvas.style.pointerEvents = 'auto';
    const { x, y, width, height } = heading.getBoundingClientRect();
    const all = document.elementsFromPoint(x + width / 2, y + height / 2);
    return all.filter((element) => element === heading || element === canvas).map(({ tagName }) => tagName);
  });
  expect(layers).toEqual(['H2', 'CANVAS']);
});
