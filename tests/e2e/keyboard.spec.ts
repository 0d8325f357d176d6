import type { Locator, Page } from '@playwright/test';
import { expect, test } from '#tests/support/e2e-fixtures.ts';
import { callApi, newPost } from '#tests/support/e2e-people.ts';
import { grantAdmin } from '#tests/support/grant-admin.ts';
import type { CreatedCommunity } from '#worker/contract/communities.ts';

test.skip(({ isMobile }) => isMobile, 'a phone has no keyboard to speak of');

/** Presses Tab until the control has the focus. */
async function tabTo(page: Page, control: Locator): Promise<void> {
  const focused = control.and(page.locator(':focus'));
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab');
    if ((await focused.count()) > 0) return;
  }
  throw new Error(`The keyboard does not reach ${control}`);
}

/** Goes to the field with that label and types, as fast as a person who knows the way. */
async function typeInto(page: Page, label: string, text: string): Promise<void> {
  await tabTo(page, page.getByLabel(label, { exact: true }));
  await page.keyboard.type(text);
}

function button(page: Page, name: string): Locator {
  return page.getByRole('button', { name, exact: true });
}

async function press(page: Page, control: Locator): Promise<void> {
  await tabTo(page, control);
  await page.keyboard.press('Enter');
}

test('the keyboard alone cancels the deletion of a post, marks it found and deletes it', async ({ person, openAs }) => {
  const author = await person();
  await newPost(author, { title: 'Mkoba wa shule' });
  const page = await openAs(author, '/my-posts');
  await expect(page.getByRole('article')).toHaveCount(1);
  await press(page, button(page, 'Delete'));
  const dialog = page.getByRole('dialog');
  await expect(dialog.locator(':focus')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Delete' })).toBeFocused();
  await tabTo(page, button(page, 'Mark as found'));
  await page.keyboard.press('Space');
  await expect(page.getByText('Item marked as retrieved successfuly')).toBeVisible();
  await press(page, button(page, 'Delete'));
  await expect(dialog.locator(':focus')).toHaveCount(1);
  await press(page, button(page, 'Delete'));
  await expect(page.getByText("You don't have any post")).toBeVisible();
});

test('the keyboard alone switches the language', async ({ openAs }) => {
  const page = await openAs(null, '/login');
  await expect(page.getByRole('heading', { level: 1, name: 'Log in' })).toBeVisible();
  await press(page, button(page, 'Kiswahili'));
  await expect(page.locator('html')).toHaveAttribute('lang', 'sw');
  await expect(page.getByRole('button', { name: 'English' })).toBeFocused();
});

test('the keyboard alone opens an account', async ({ openAs }) => {
  const digits = String(Date.now()).slice(-8);
  const page = await openAs(null, '/register');
  await expect(page.getByRole('heading', { level: 1, name: 'Create an account' })).toBeVisible();
  await typeInto(page, 'Username', `Mtu ${digits}`);
  await typeInto(page, 'Email', `kibodi${digits}@example.com`);
  await typeInto(page, 'Phone number (WhatsApp)', `0712${digits.slice(2)}`);
  await typeInto(page, 'Password', 'tumaini la kesho');
  await typeInto(page, 'Confirm password', 'tumaini la kesho');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Your account is ready. You can log in now.')).toBeVisible();
  await expect(page).toHaveURL(/\/login$/);
});

test('the keyboard alone updates a post', async ({ person, openAs }) => {
  const author = await person();
  await newPost(author, { title: 'Mkoba' });
  const page = await openAs(author, '/my-posts');
  await expect(page.getByRole('article')).toHaveCount(1);
  await press(page, page.getByRole('link', { name: 'Update' }));
  await expect(page.getByLabel('Title')).toHaveValue('Mkoba');
  await tabTo(page, page.getByLabel('Title'));
  await page.keyboard.press('End');
  await page.keyboard.type(' mwekundu');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Post updated successfully!').first()).toBeVisible();
  await expect(page).toHaveURL(/\/my-posts$/);
  await expect(page.getByRole('heading', { name: 'Mkoba mwekundu' })).toBeVisible();
});

test('the keyboard alone creates a community and joins another', async ({ person, openAs }) => {
  const [member, creator, admin] = [await person(), await person(), await person()];
  grantAdmin(admin);
  const body = { name: `Stendi ya ${creator.id.slice(0, 6)}` };
  const other = await callApi<CreatedCommunity>('POST', '/api/communities', { body, token: creator.token });
  await callApi('POST', `/api/admin/communities/${other.id}/approve`, { token: admin.token });
  const page = await openAs(member, '/communities');
  await typeInto(page, 'Access code', other.access_code.toLowerCase());
  await page.keyboard.press('Enter');
  await expect(page.getByText('Successfully joined the community!').first()).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: body.name })).toBeVisible();
  await typeInto(page, 'Community name', 'Kata yetu');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('listitem').filter({ hasText: 'Kata yetu' })).toContainText('Pending');
});

test('the keyboard alone goes through a community and opens its QR code', async ({ person, openAs }) => {
  const creator = await person();
  const body = { name: 'Shule ya kibodi' };
  const { id } = await callApi<CreatedCommunity>('POST', '/api/communities', { body, token: creator.token });
  const page = await openAs(creator, `/community-details/${id}`);
  await press(page, button(page, 'Generate QR'));
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('img')).toBeVisible();
  await expect(dialog.locator(':focus')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(button(page, 'Generate QR')).toBeFocused();
  for (let presses = 0; presses < 20 && (await page.locator('[role=tab]:focus').count()) === 0; presses++) {
    await page.keyboard.press('Shift+Tab');
  }
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('tab', { name: 'Members' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('tabpanel')).toContainText(creator.username);
});

test('the keyboard alone sets a forgotten password anew', async ({ person, openAs }) => {
  const owner = await person();
  const page = await openAs(null, '/forgot-password');
  await typeInto(page, 'Phone number (WhatsApp)', owner.phone);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/verify-code');
  const inbox = `/api/dev/whatsapp-messages?to=${encodeURIComponent(owner.phone)}`;
  const newestCode = async () => (await callApi<{ code: string }[]>('GET', inbox))[0]?.code ?? '';
  await expect.poll(newestCode).toMatch(/^\d{6}$/);
  await typeInto(page, 'Verification code', await newestCode());
  await page.keyboard.press('Enter');
  await expect(page.getByText('Code verified successfully! Please set your new password.')).toBeVisible();
  await typeInto(page, 'New password', 'embe bivu tamu');
  await typeInto(page, 'Confirm new password', 'embe bivu tamu');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Password reset successful!')).toBeVisible();
  await expect(page).toHaveURL(/\/login$/);
});

test('the keyboard alone answers a notice', async ({ person, openAs }) => {
  const [owner, finder] = [await person(), await person()];
  const name = { owner_first_name: 'Bahatishamba', owner_last_name: `Nyumbakuu${owner.id.slice(0, 3)}` };
  await newPost(owner, { ...name, title: 'Nimepoteza leseni ya udereva', posted_by: 'owner', description: '' });
  const page = await openAs(owner, '/my-posts');
  await expect(page.getByRole('article')).toHaveCount(1);
  await newPost(finder, { ...name, title: 'Driving licence found', posted_by: 'finder', description: '' });
  const dialog = page.getByRole('dialog', { name: 'A Matching Post Found!' });
  await expect(dialog).toBeVisible();
  await expect(dialog.locator(':focus')).toHaveCount(1);
  await press(page, dialog.getByRole('button', { name: 'Not mine' }));
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText('All right. We will not show you these two together again.')).toBeVisible();
});

test('the keyboard alone sends feedback', async ({ openAs }) => {
  const page = await openAs(null, '/');
  await expect(page.locator('[data-prerendered]')).toHaveCount(0);
  await typeInto(page, 'Email', 'msomaji@example.com');
  await typeInto(page, 'Message', 'Asante sana');
  await press(page, button(page, 'Send feedback'));
  await expect(page.getByText('Thank you for your feedback!').first()).toBeVisible();
});

test('the keyboard alone opens the menu of a small screen, and closes it', async ({ openAs }) => {
  const page = await openAs(null, '/login');
  await page.setViewportSize({ width: 360, height: 800 });
  await expect(page.getByRole('heading', { level: 1, name: 'Log in' })).toBeVisible();
  await press(page, button(page, 'Open menu'));
  await expect(page.getByRole('link', { name: 'Create Account' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('link', { name: 'Create Account' })).toBeHidden();
  await page.keyboard.press('Enter');
  await press(page, page.getByRole('link', { name: 'Create Account' }));
  await expect(page).toHaveURL(/\/register$/);
  await expect(page.locator('main')).toBeFocused();
});
