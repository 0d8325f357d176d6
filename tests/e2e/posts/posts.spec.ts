import type { Page } from '@playwright/test';
import { test as base, expect } from '#tests/support/e2e-fixtures.ts';
import { newPost } from '#tests/support/e2e-people.ts';
import { fillPost } from '#tests/support/e2e-screen.ts';

const test = base.extend({
  // The browser logs responses that are not 2xx: those of the sign-in and of the expired session below.
  expectedErrors: [/the server responded with a status of 401/],
});

const PASSWORD = 'tumaini la kesho';

function digits(): string {
  return String(crypto.getRandomValues(new Uint32Array(1))[0])
    .padStart(10, '0')
    .slice(-8);
}

async function logIn(page: Page, email: string): Promise<void> {
  // The address changes before the screen, and the previous screen may have the same fields.
  await expect(page.getByRole('heading', { level: 1, name: 'Log in' })).toBeVisible();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in' }).click();
}

function cardOf(page: Page, title: string) {
  return page.getByRole('article').filter({ hasText: title });
}

/** Checks that no screen is wider than the phone. */
async function expectNoSidewaysScroll(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
}

test('a new account creates, edits, marks as found and deletes a post', async ({ page }) => {
  const number = digits();
  const email = `mpya${number}@example.com`;
  const title = `Kitambulisho ${number}`;

  await page.goto('/register');
  await page.getByLabel('Username').fill('Asha Mushi');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Phone number (WhatsApp)').fill(`07${number}`);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm password').fill(PASSWORD);
  await expectNoSidewaysScroll(page);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByText('Your account is ready. You can log in now.')).toBeVisible();
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByLabel('Email')).toHaveValue(email);

  await logIn(page, email);
  await expect(page).toHaveURL(/\/$/);

  await page.goto('/create-post');
  await fillPost(page, { title, phone: '0712 345 678' });
  await expect(page.getByLabel('Phone number')).toHaveValue('0712345678');
  await expectNoSidewaysScroll(page);
  await page.getByRole('button', { name: 'Post item' }).click();
  await expect(page.getByText('Post created successfully!').first()).toBeVisible();
  await expect(page).toHaveURL(/\/view-posts$/);
  // Other tests post too, and may have pushed it off the first page.
  await page.getByRole('textbox', { name: 'Search posts' }).fill(title);
  await expect(cardOf(page, title)).toBeVisible();
  await expectNoSidewaysScroll(page);

  await page.goto('/my-posts');
  await cardOf(page, title).getByRole('link', { name: 'Update' }).click();
  await page.getByLabel('Title').fill(`${title} cha NIDA`);
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Post updated successfully!').first()).toBeVisible();
  await expect(page).toHaveURL(/\/my-posts$/);
  const card = cardOf(page, `${title} cha NIDA`);
  await expect(card).toBeVisible();
  await expectNoSidewaysScroll(page);

  await card.getByRole('button', { name: 'Mark as returned' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Mark as returned' }).click();
  await expect(page.getByText('Item marked as retrieved successfully')).toBeVisible();
  await expect(card.getByText('Found and returned', { exact: true })).toBeVisible();
  await expect(card.getByRole('button', { name: 'Mark as returned' })).toHaveCount(0);

  await card.getByRole('button', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('Are you sure you want to delete this post?')).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toHaveCount(0);
  await card.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('region', { name: 'My Posts' })).toBeFocused();
  await expect(page.getByText("You don't have any post")).toBeVisible();
  await expect(page.getByText('Post deleted successfully!')).toBeVisible();
  await page.reload();
  await expect(page.getByText("You don't have any post")).toBeVisible();
});

test('a user scrolls through more than one page', async ({ person, openAs }) => {
  const [first, second] = [await person(), await person()];
  const word = `ukurasa${digits()}`;
  for (let count = 0; count < 28; count++)
    await Promise.all([first, second].map((author) => newPost(author, { title: `${word}, ya ${count}` })));
  const page = await openAs(null, `/view-posts?search=${word}`);
  for (const shown of [20, 40, 56]) {
    await expect(page.getByRole('article')).toHaveCount(shown);
    await page.getByRole('article').last().scrollIntoViewIfNeeded();
  }
  await expect(page.getByRole('button', { name: 'Show older posts' })).toHaveCount(0);
});

test('a search typed just before opening a card is restored on the way back', async ({ page, person }) => {
  const word = `Mwavuli${digits()}`;
  const { title } = await newPost(await person(), { title: `${word} mweusi` });
  await page.clock.install();
  await page.goto('/view-posts');
  await expect(page.getByRole('link', { name: title })).toBeVisible();
  await expect(page.locator('[data-prerendered]')).toHaveCount(0);
  // The time to undo does not end on its own here.
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.getByLabel('Search posts').fill(word);
  await page.getByRole('link', { name: title }).click();
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(`/view-posts?search=${word}`);
  await expect(page.getByLabel('Search posts')).toHaveValue(word);
});

test('Arabic text is shown from right to left on every screen', async ({ person, openAs }) => {
  const author = await person();
  const title = `محفظة سوداء ${digits()}`;
  const { id } = await newPost(author, { title });
  const page = await openAs(author, '/my-posts');
  for (const path of ['/my-posts', `/view-posts?search=${encodeURIComponent(title)}`, `/posts/${id}`]) {
    await page.goto(path);
    const words = page.getByText(title).first();
    await expect(words).toHaveCSS('direction', 'rtl');
    await expect(words).toHaveCSS('text-align', 'start');
    await expect(words).toHaveCSS('display', 'block');
  }
});
