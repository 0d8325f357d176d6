import type { Page } from '@playwright/test';
import { expect, test } from '#tests/support/e2e-fixtures.ts';
import { newOwnerName, newPost, type Person } from '#tests/support/e2e-people.ts';
import { link, press, tabTo } from '#tests/support/e2e-screen.ts';

const LICENCE = { title: 'Nimepoteza leseni ya udereva', posted_by: 'owner', description: '' } as const;
const FOUND = { title: 'Driving licence found', posted_by: 'finder', description: '' } as const;

/** Returns functions that post a lost licence, and the found licence that matches it. */
function aLicence(owner: Person, finder: Person) {
  const name = newOwnerName();
  return {
    lose: () => newPost(owner, { ...LICENCE, ...name }),
    find: () => newPost(finder, { ...FOUND, ...name }),
  };
}

async function expectNotice(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'A Matching Post Found!' });
  await expect(dialog.locator(':focus')).toHaveCount(1);
}

test('a keyboard user dismisses one match with “Not this one”, and opens the post of another match', async ({
  person,
  openAs,
}) => {
  const [owner, finder] = [await person(), await person()];
  const [first, second] = [aLicence(owner, finder), aLicence(owner, finder)];
  for (const { lose } of [first, second]) await lose();
  const page = await openAs(owner, '/my-posts');
  await expect(page.getByRole('article')).toHaveCount(2);
  await first.find();
  await expectNotice(page);
  const dialog = page.getByRole('dialog');
  await press(page, dialog.getByRole('button', { name: 'Not this one' }));
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText('Done. We will not show you these two posts together again.')).toBeVisible();

  await second.find();
  await expectNotice(page);
  await tabTo(page, dialog.getByRole('link', { name: 'Call' }));
  await press(page, dialog.getByRole('link', { name: 'View post' }));
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1, name: FOUND.title })).toBeVisible();
  await expect(page.locator('main')).toBeFocused();
});

test('a keyboard user closes the notice of a match, and opens the matching post from the list of notices', async ({
  person,
  openAs,
}) => {
  const [owner, finder] = [await person(), await person()];
  const { lose, find } = aLicence(owner, finder);
  await lose();
  const page = await openAs(owner, '/my-posts');
  await expect(page.getByRole('article')).toHaveCount(1);
  await find();
  await expectNotice(page);
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
