import { expect, test } from '#tests/support/e2e-fixtures.ts';
import { callApi, confirmationLink } from '#tests/support/e2e-people.ts';
import { button, link, press, tabTo, typeInto } from '#tests/support/e2e-screen.ts';

test('a keyboard user changes name, settings and password, signs a device out and deletes the account', async ({
  person,
  openAs,
  expectedErrors,
}) => {
  test.slow();
  // The account is deleted before the app ends its session.
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
