import { readFile } from 'node:fs/promises';
import type { Me, Session } from '#contract/accounts.ts';
import { expect, test } from '#tests/support/e2e-fixtures.ts';
import { callApi, confirmationLink, type Person } from '#tests/support/e2e-people.ts';

function signInElsewhere({ email, password }: Pick<Person, 'email' | 'password'>): Promise<Session> {
  return callApi('POST', '/api/login', { body: new URLSearchParams({ username: email, password }) });
}

test('a person changes their e-mail and proves it by the link, whose second use has no effect', async ({
  person,
  openAs,
  expectedErrors,
}) => {
  expectedErrors.push(/400 \(Bad Request\).*confirm-email/);
  const asha = await person();
  const email = `mpya-${asha.email}`;
  const page = await openAs(asha, '/account', { language: 'sw' });
  await page.getByRole('button', { name: 'Thibitisha barua pepe' }).click();
  await page.getByRole('textbox', { name: 'Barua pepe' }).fill(email);
  await page.getByLabel('Nenosiri lako').fill(asha.password);
  await page.getByRole('button', { name: 'Nitumie kiungo' }).click();
  await expect(page.getByText(`Tumetuma kiungo kwa ${email}.`)).toBeVisible();

  const link = await confirmationLink(email);
  const linkPage = await page.context().newPage();
  await linkPage.goto(link);
  await expect(linkPage.getByText('Asante! Barua pepe hii sasa ni yako')).toBeVisible();
  await expect(linkPage).toHaveURL('/confirm-email');
  await linkPage.reload();
  await expect(linkPage.getByText('Asante! Barua pepe hii sasa ni yako')).toBeVisible();
  await linkPage.getByRole('link', { name: 'Endelea kwenye Patikana' }).click();
  await expect(linkPage.getByText(email)).toBeVisible();
  await expect(linkPage.getByText('Imethibitishwa')).toBeVisible();

  const again = await openAs(null, link, { language: 'sw' });
  await expect(again.getByText('Kiungo hiki kimeshatumika, au kina zaidi ya saa 24.')).toBeVisible();
  await expect(again).toHaveURL('/confirm-email');
  const me = await callApi<Me>('GET', '/api/me', { token: asha.token });
  expect([me.email, me.is_email_proven]).toEqual([email, true]);
});

test('a new password signs all other devices out and keeps this one, and another device can be signed out', async ({
  person,
  openAs,
  expectedErrors,
}) => {
  expectedErrors.push(/403 \(Forbidden\).*\/api\/me\/password/);
  const asha = await person();
  const other = await signInElsewhere(asha);
  const page = await openAs(asha, '/account');
  const second = await page.context().newPage();
  await second.goto('/my-posts');
  await page.getByRole('button', { name: /^Log out (?!everywhere)/ }).click();
  await expect(page.getByText('Logged out.')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Log out (?!everywhere)/ })).toHaveCount(0);
  await expect(callApi('GET', '/api/me', { token: other.access_token })).rejects.toThrow('401');

  const third = await signInElsewhere(asha);
  await page.getByRole('button', { name: 'Change password' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change password' });
  await dialog.getByLabel('Your password').fill('si hili');
  await dialog.getByLabel('New password', { exact: true }).fill('embe bivu tamu');
  await dialog.getByLabel('Confirm the new password').fill('embe bivu tamu');
  await dialog.getByRole('button', { name: 'Change password' }).click();
  await expect(dialog.getByRole('alert')).toBeVisible();
  await dialog.getByLabel('Your password').fill(asha.password);
  await dialog.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText('Your password is changed.')).toBeVisible();
  await expect(callApi('GET', '/api/me', { token: third.access_token })).rejects.toThrow('401');
  await expect(callApi('GET', '/api/me', { token: asha.token })).rejects.toThrow('401');
  // Both tabs continue with the new token.
  for (const tab of [page, second]) {
    await tab.goto('/account');
    await expect(tab.getByText(asha.email)).toBeVisible();
  }
});

test('a person downloads their data and deletes their account, and no data remains', async ({
  person,
  openAs,
  expectedErrors,
}) => {
  // The account is deleted before the app ends its session.
  expectedErrors.push(/401 \(Unauthorized\).*\/api\/me\/devices\/current/);
  const asha = await person();
  const page = await openAs(asha, '/account');
  await page.getByRole('button', { name: 'Download my data' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Your password').fill(asha.password);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Download my data' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('patikana.json');
  const saved = JSON.parse(await readFile(await download.path(), 'utf8')) as { me: { email: string } };
  expect(saved.me.email).toBe(asha.email);

  await page.getByRole('button', { name: 'Delete my account' }).click();
  await expect(dialog).toContainText('Deleted for good');
  await dialog.getByLabel('Your password').fill(asha.password);
  await dialog.getByRole('button', { name: 'Delete for good' }).click();
  await expect(page).toHaveURL('/login');
  await expect(page.getByText('Your account is deleted.')).toBeVisible();
  const kept = await page.evaluate(() => JSON.stringify({ ...localStorage }));
  expect(kept).not.toContain(asha.id);
  expect(kept).not.toContain(asha.token);
  await expect(signInElsewhere(asha)).rejects.toThrow('401');
});
