import type { CDPSession, Page } from '@playwright/test';
import { expect, fillPool, grantAdmin, newAdmin, newPerson, test } from '#tests/support/e2e-fixtures.ts';
import { callApi } from '#tests/support/e2e-people.ts';
import type { ReceivedMessage } from '#tests/support/graph-api.ts';
import { type GraphApiServer, startGraphApi } from '#tests/support/graph-api-server.ts';
import { type RunningApp, startApp } from '#tests/support/start-app.ts';

// These tests use a separate app, configured as when deployed: admins' changes need a passkey, requests are limited,
// and messages go over the real queue to a stand-in for Meta's Graph API. The tests share the app, so they run one
// after another.
test.describe.configure({ mode: 'default' });

let app: RunningApp;
let graph: GraphApiServer;
const before = { ...process.env };

test.beforeAll(async () => {
  graph = await startGraphApi();
  const vars = Object.entries({ ...graph.vars, ADMIN_STEP_UP: 'on' });
  app = await startApp(vars.flatMap(([name, value]) => ['--var', `${name}:${value}`]));
  process.env.PATIKANA_ORIGIN = app.origin;
  process.env.PATIKANA_STATE = app.stateFolder;
  await fillPool(app.stateFolder);
});
test.afterAll(async () => {
  Object.assign(process.env, before);
  await app?.stop();
  await graph?.close();
});

function messagesTo(phone: string): ReceivedMessage[] {
  return graph.api.accepted.filter(({ to }) => to === phone);
}

/** Waits for the message to a phone number, and returns the code in the message's button. */
async function receiveCode(phone: string): Promise<string> {
  await expect.poll(() => messagesTo(phone).length).toBe(1);
  return messagesTo(phone)[0]?.button ?? '';
}

test('a Swahili message with a verification code arrives on a later attempt if Meta’s API fails at first', async ({
  browser,
}) => {
  const account = await newPerson();
  graph.api.failNext({ code: 131016, httpStatus: 500 }, 'drop', { code: 130429, httpStatus: 429 });
  const context = await browser.newContext({ baseURL: app.origin, locale: 'sw' });
  const page = await context.newPage();
  await page.goto('/forgot-password');
  await page.getByLabel('Namba ya simu (WhatsApp)').fill(account.phone);
  await page.getByRole('button', { name: 'Tuma namba ya uthibitisho' }).click();
  await page.waitForURL('**/verify-code');
  const code = await receiveCode(account.phone);
  expect(messagesTo(account.phone)[0]?.language).toBe('sw');
  await page.getByLabel('Namba ya uthibitisho').fill(code);
  await page.getByRole('button', { name: 'Thibitisha' }).click();
  await expect(page.getByRole('heading', { name: 'Weka nenosiri jipya' })).toBeVisible();
  await context.close();
});

async function newPending(name: string): Promise<void> {
  const { token } = await newPerson();
  await callApi('POST', '/api/communities', { body: { name, description: '' }, token });
}

/** Simulates a phone with a fingerprint reader that accepts the user. */
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

test('an admin adds a passkey to approve a community, uses the passkey in the next session, and adds another after losing the first', async ({
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

  // A new session must be confirmed with the passkey. Closing the passkey dialog approves nothing.
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

  // The admin has lost the passkey. After the operator has reset the passkeys, the password is enough to add a new one.
  await grantAdmin(admin, ['--reset-passkeys']);
  await card('Shule ya Tatu').getByRole('button', { name: 'Idhinisha' }).click();
  await dialog.getByLabel('Nenosiri lako').fill(admin.password);
  await dialog.getByRole('button', { name: 'Ongeza ufunguo wa siri' }).click();
  await expect(card('Shule ya Tatu')).toBeHidden();
});

test('an admin lists, adds and removes passkeys, and sees an error after a wrong fingerprint', async ({
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
