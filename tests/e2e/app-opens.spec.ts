import { expect, test } from '#tests/support/e2e-fixtures.ts';

test('the home page opens without an error', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
});

test('a page opens in the language that was chosen before', async ({ openAs }) => {
  const page = await openAs(null, '/view-posts', { language: 'sw' });
  await expect(page.locator('html')).toHaveAttribute('lang', 'sw');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
});

test('a signed-in person is still signed in on the next page they open', async ({ person, openAs }) => {
  const page = await openAs(await person(), '/my-posts');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page).toHaveURL(/\/my-posts$/);
});
