import type { Page } from '@playwright/test';
import { expect, newCommunity, test } from '#tests/support/e2e-fixtures.ts';
import { newOwnerName, newPost } from '#tests/support/e2e-people.ts';
import { findViolations } from '#tests/support/e2e-screen.ts';

/** Opens the dialog with its button, checks it in both themes, and closes it. */
async function checkDialog(page: Page, opener: string): Promise<void> {
  // The last one, because the form beside the list of communities has a button of the same name.
  await page.getByRole('button', { name: opener, exact: true }).last().click();
  await expect(page.getByRole('dialog')).toBeVisible();
  expect.soft(await findViolations(page), opener).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

test('the dialogs have no axe violations in either theme', async ({ person, openAs }) => {
  test.slow();
  const [owner, finder] = [await person(), await person()];
  const name = newOwnerName();
  await newPost(owner, { ...name, title: 'Nimepoteza pasipoti', posted_by: 'owner', description: '' });
  const { id } = await newCommunity(owner, 'Soko la Kilombero');
  const page = await openAs(owner, '/my-posts', { language: 'sw' });
  await checkDialog(page, 'Futa');
  await checkDialog(page, 'Nimekipata tena');
  await page.goto('/communities');
  await checkDialog(page, 'Anzisha jumuiya');
  await checkDialog(page, 'Skani msimbo wa QR');
  await page.goto(`/community-details/${id}`);
  await checkDialog(page, 'Tengeneza QR');

  await newPost(finder, { ...name, title: 'Passport found', posted_by: 'finder', description: '' });
  await expect(page.getByRole('dialog', { name: 'Tangazo Linalofanana Limepatikana!' })).toBeVisible();
  expect(await findViolations(page), 'a notice of a match').toEqual([]);
});
