import type { Page } from '@playwright/test';
import { expect, test } from '#tests/support/e2e-fixtures.ts';
import { newPost } from '#tests/support/e2e-people.ts';

test.skip(({ isMobile }) => isMobile, 'a phone has no keyboard to speak of');

/** Presses Tab until the control with that accessible name has the focus. */
async function tabTo(page: Page, role: 'button' | 'link' | 'textbox', name: string): Promise<void> {
  const focused = page.getByRole(role, { name, exact: true }).and(page.locator(':focus'));
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab');
    if ((await focused.count()) > 0) return;
  }
  throw new Error(`The keyboard does not reach the ${role} ${name}`);
}

test('the keyboard alone cancels the deletion of a post, marks it found and deletes it', async ({ person, openAs }) => {
  const author = await person();
  await newPost(author, { title: 'Mkoba wa shule' });
  const page = await openAs(author, '/my-posts');
  await expect(page.getByRole('article')).toHaveCount(1);
  await tabTo(page, 'button', 'Delete');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await expect(dialog.locator(':focus')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Delete' })).toBeFocused();
  await tabTo(page, 'button', 'Mark as found');
  await page.keyboard.press('Space');
  await expect(page.getByText('Item marked as retrieved successfuly')).toBeVisible();
  await tabTo(page, 'button', 'Delete');
  await page.keyboard.press('Enter');
  await expect(dialog.locator(':focus')).toHaveCount(1);
  await tabTo(page, 'button', 'Delete');
  await page.keyboard.press('Enter');
  await expect(page.getByText("You don't have any post")).toBeVisible();
});

test('the keyboard alone switches the language', async ({ openAs }) => {
  const page = await openAs(null, '/login');
  await expect(page.getByRole('heading', { level: 1, name: 'Log in' })).toBeVisible();
  await tabTo(page, 'button', 'Kiswahili');
  await page.keyboard.press('Enter');
  await expect(page.locator('html')).toHaveAttribute('lang', 'sw');
  await expect(page.getByRole('button', { name: 'English' })).toBeFocused();
});
