import type { CDPSession, Page } from '@playwright/test';
import { expect, test } from '#tests/support/e2e-fixtures.ts';
import { callApi, newPerson, type Person } from '#tests/support/e2e-people.ts';
import { grantAdmin } from '#tests/support/grant-admin.ts';
import { type RunningApp, startApp } from '#tests/support/start-app.ts';

// Here what admins change needs a passkey, and the app is at localhost: a passkey belongs to a domain.
let app: RunningApp;
const before = { ...process.env };

// biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of a fixture's needs from the pattern.
test.beforeAll(async ({}, { project }) => {
  test.skip(project.name !== 'phone', 'What differs is the width alone.');
  app = await startApp(['--var', 'ADMIN_STEP_UP:on']);
  process.env.PATIKANA_ORIGIN = app.origin;
  process.env.PATIKANA_STATE = app.stateFolder;
});
test.afterAll(async () => {
  Object.assign(process.env, before);
  await app?.stop();
});
test.describe.configure({ timeout: 180_000 });

async function newAdmin(): Promise<Person> {
  const admin = await newPerson();
  await grantAdmin(admin);
  return admin;
}

async function newPending(name: string): Promise<void> {
  const { token } = await newPerson();
  await callApi('POST', '/api/communities', { body: { name, description: '' }, token });
}

/** A phone with a fingerprint reader, on which the right finger lies. */
async function plugIn(page: Page): Promise<{ cdp: CDPSession; authenticatorId: string }> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { cdp, authenticatorId };
}

test('an admin adds the first passkey on the way to a decision, shows it in the next session, and starts anew after losing it', async ({
  openAs,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 403/);
  const admin = await newAdmin();
  for (const name of ['Shule ya Kwanza', 'Shule ya Pili', 'Shule ya Tatu']) await newPending(name);
  const page = await openAs(admin, '/admin', { language: 'sw' });
  const key = await plugIn(page);
  const card = (name: string) => page.getByRole('main').getByRole('listitem').filter({ hasText: name });

  await card('Shule ya Kwanza').getByRole('button', { name: 'Idhinisha' }).click();
  const dialog = page.getByRole('dialog', { name: 'Thibitisha kuwa ni wewe' });
  await dialog.getByLabel('Nenosiri lako').fill('si hili kabisa');
  await dialog.getByRole('button', { name: 'Ongeza ufunguo wa siri' }).click();
  await expect(dialog.getByRole('alert')).toBeVisible();
  await key.cdp.send('WebAuthn.clearCredentials', { authenticatorId: key.authenticatorId });
  await dialog.getByLabel('Nenosiri lako').fill(admin.password);
  await dialog.getByRole('button', { name: 'Ongeza ufunguo wa siri' }).click();
  await expect(dialog).toBeHidden();
  await expect(card('Shule ya Kwanza')).toBeHidden();

  // Another session has shown nothing yet; whoever closes the question decides nothing.
  const form = new URLSearchParams({ username: admin.email, password: admin.password });
  const { access_token: token } = await callApi<{ access_token: string }>('POST', '/api/login', { body: form });
  await page.evaluate((next) => localStorage.setItem('token', next), token);
  await page.reload();
  await card('Shule ya Pili').getByRole('button', { name: 'Idhinisha' }).click();
  await dialog.getByRole('button', { name: 'Tumia ufunguo wa siri' }).waitFor();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('alert')).toContainText('thibitisha kwanza kwa ufunguo');
  await expect(card('Shule ya Pili')).toBeVisible();
  await card('Shule ya Pili').getByRole('button', { name: 'Idhinisha' }).click();
  await dialog.getByRole('button', { name: 'Tumia ufunguo wa siri' }).click();
  await expect(card('Shule ya Pili')).toBeHidden();

  // Lost: whoever runs the server resets them, and the password makes a first one again.
  await grantAdmin(admin, ['--reset-passkeys']);
  await card('Shule ya Tatu').getByRole('button', { name: 'Idhinisha' }).click();
  await dialog.getByLabel('Nenosiri lako').fill(admin.password);
  await dialog.getByRole('button', { name: 'Ongeza ufunguo wa siri' }).click();
  await expect(card('Shule ya Tatu')).toBeHidden();
});

test('passkeys are listed, added and removed, and a finger that does not fit says so', async ({
  openAs,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 40[03]/);
  const admin = await newAdmin();
  const page = await openAs(admin, '/admin?tab=passkeys');
  const { cdp, authenticatorId } = await plugIn(page);
  await page.getByLabel('Your password').fill(admin.password);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(page.getByText(/^Added on/)).toHaveCount(1);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'one of your passkeys already' })).toBeVisible();
  await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'No passkey was used' })).toBeVisible();
  await page.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('You have no passkey yet.')).toBeVisible();
});
