import { expect, test } from '#tests/support/e2e-fixtures.ts';
import { callApi, confirmationLink, nobodyElse, type Person } from '#tests/support/e2e-people.ts';
import { button, link, press, tabTo, typeInto } from '#tests/support/e2e-screen.ts';

/** Returns the code in the newest WhatsApp message to the person. If `before` is given, waits for a second code. */
async function newestCode({ phone }: Person, before = ''): Promise<string> {
  const path = `/api/dev/whatsapp-messages?to=${encodeURIComponent(phone)}`;
  const read = async () => (await callApi<{ code: string }[]>('GET', path)).map(({ code }) => code);
  await expect.poll(async () => (await read()).length).toBe(before === '' ? 1 : 2);
  return (await read())[0] ?? '';
}

test('a keyboard user registers, corrects a mistyped password, logs in and logs out', async ({
  openAs,
  expectedErrors,
}) => {
  expectedErrors.push(/401/);
  const { username, email, phone, password } = nobodyElse();
  const page = await openAs(null, '/login');
  await press(page, link(page, 'Create one'));
  await expect(page.getByRole('heading', { level: 1, name: 'Create an account' })).toBeVisible();
  await typeInto(page, 'Username', username);
  await typeInto(page, 'Email', email);
  await typeInto(page, 'Phone number (WhatsApp)', phone);
  await typeInto(page, 'Password', password);
  await typeInto(page, 'Confirm password', password);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Your account is ready. You can log in now.')).toBeVisible();
  await expect(page).toHaveURL(/\/login$/);

  await expect(page.getByRole('heading', { level: 1, name: 'Log in' })).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await typeInto(page, 'Password', 'tumaini la jana');
  await press(page, button(page, 'Log in'));
  await expect(page.getByText('Incorrect email or password.')).toBeVisible();
  await expect(button(page, 'Log in')).toBeFocused();
  await tabTo(page, button(page, 'Show password'), 'Shift+Tab');
  await page.keyboard.press('Space');
  await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('type', 'text');
  await tabTo(page, page.getByLabel('Password', { exact: true }), 'Shift+Tab');
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/$/);
  await press(page, button(page, 'Logout'));
  await expect(page).toHaveURL(/\/login$/);
});

test('a keyboard user requests another verification code after the first has expired, and resets the password', async ({
  person,
  openAs,
}) => {
  const owner = await person();
  const page = await openAs(null, '/login');
  await page.clock.install();
  await press(page, link(page, 'Forgot your password?'));
  await typeInto(page, 'Phone number (WhatsApp)', owner.phone);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/verify-code');
  const first = await newestCode(owner);
  await page.clock.fastForward('05:00');
  await expect(page.getByLabel('Verification code')).toBeDisabled();
  await press(page, button(page, 'Resend code'));
  await expect(page.getByLabel('Verification code')).toBeFocused();
  await page.keyboard.type(await newestCode(owner, first));
  await page.keyboard.press('Enter');
  await expect(page.getByText('Code verified successfully! Please set your new password.')).toBeVisible();
  await typeInto(page, 'New password', 'embe bivu tamu');
  await typeInto(page, 'Confirm new password', 'embe bivu tamu');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Password reset successful!')).toBeVisible();
  await expect(page).toHaveURL(/\/login$/);
});

test('a keyboard user changes name, settings and password, signs a device out and deletes the account', async ({
  person,
  openAs,
  expectedErrors,
}) => {
  // After the account is deleted, the app asks the server to end the session, and gets a 401.
  expectedErrors.push(/401 \(Unauthorized\).*\/api\/me\/devices\/current/);
  const asha = await person();
  const elsewhere = new URLSearchParams({ username: asha.email, password: asha.password });
  await callApi('POST', '/api/login', { body: elsewhere });
  const page = await openAs(asha, '/');
  await press(page, link(page, 'Account'));
  await expect(page.getByRole('heading', { level: 1, name: 'Your account' })).toBeVisible();
  await expect(page.getByText(asha.email)).toBeVisible();

  await press(page, button(page, 'Change name'));
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Tab');
  await typeInto(page, 'Name', ' Mushi');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(button(page, 'Change name')).toBeFocused();

  await press(page, button(page, 'Confirm the email'));
  await typeInto(page, 'Your password', asha.password);
  await page.keyboard.press('Enter');
  await expect(page.getByText(`We have sent a link to ${asha.email}.`)).toBeVisible();
  await page.keyboard.press('Escape');
  expect(await confirmationLink(asha.email)).toContain('#');

  await tabTo(page, page.getByRole('checkbox', { name: 'Emails' }));
  await page.keyboard.press('Space');
  await press(page, button(page, 'Save'));
  await expect(page.getByRole('status').filter({ hasText: 'Saved.' }).first()).toBeVisible();

  const other = page.getByRole('button', { name: /^Log out (?!everywhere)/ });
  await press(page, other);
  await expect(other).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Where you are logged in' })).toBeFocused();

  await press(page, button(page, 'Change password'));
  await typeInto(page, 'Your password', asha.password);
  await typeInto(page, 'New password', 'embe bivu tamu');
  await typeInto(page, 'Confirm the new password', 'embe bivu tamu');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Your password is changed.')).toBeVisible();

  await press(page, button(page, 'Delete my account'));
  await typeInto(page, 'Your password', 'embe bivu tamu');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/login');
});
