import type { Page } from '@playwright/test';
import { test as base, expect } from '#tests/support/e2e-fixtures.ts';
import type { ReceivedMessage } from '#tests/support/graph-api.ts';
import { type GraphApiServer, startGraphApi } from '#tests/support/graph-api-server.ts';
import { type RunningApp, startApp } from '#tests/support/start-app.ts';

/** An app of its own, which sends over the real queue to the stand-in for Meta's Graph API. */
type Recovery = { app: RunningApp; graph: GraphApiServer };
type Account = { email: string; phone: string; password: string };

const test = base.extend<{ account: Account }, { recovery: Recovery }>({
  recovery: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of a fixture's needs from the pattern.
    async ({}, use) => {
      const graph = await startGraphApi();
      const app = await startApp(Object.entries(graph.vars).flatMap(([name, value]) => ['--var', `${name}:${value}`]));
      await use({ app, graph });
      await app.stop();
      await graph.close();
    },
    { scope: 'worker', timeout: 150_000 },
  ],
  baseURL: async ({ recovery }, use) => use(recovery.app.origin),
  account: async ({ recovery }, use) => use(await register(recovery.app.origin)),
});

const NEW_PASSWORD = 'mwembe mkubwa wa babu';

async function register(origin: string): Promise<Account> {
  const digits = crypto.randomUUID().replace(/\D/g, '').padEnd(8, '7').slice(0, 8);
  const account = { email: `mtu${digits}@example.com`, phone: `+2557${digits}`, password: 'tumaini la kesho' };
  const answer = await fetch(`${origin}/api/users`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...account, username: 'Rehema', whatsapp_number: account.phone }),
  });
  expect(answer.status).toBe(201);
  return account;
}

function messagesTo({ graph }: Recovery, phone: string): ReceivedMessage[] {
  return graph.api.accepted.filter(({ to }) => to === phone);
}

/** The code of the n-th message to a number, once it has come. */
async function receiveCode(recovery: Recovery, phone: string, count = 1): Promise<string> {
  await expect.poll(() => messagesTo(recovery, phone).length, { timeout: 20_000 }).toBe(count);
  return messagesTo(recovery, phone)[count - 1]?.button ?? '';
}

async function logIn(page: Page, { email }: Account, password: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

async function requestCode(page: Page, phone: string): Promise<void> {
  await page.getByLabel(/^Phone number/).fill(phone);
  await page.getByRole('button', { name: 'Send verification code' }).click();
  await expect(page.getByText('Verification code sent to your phone number!')).toBeVisible();
  await page.waitForURL('**/verify-code');
}

async function setPassword(page: Page, password: string): Promise<void> {
  await page.getByLabel('New password', { exact: true }).fill(password);
  await page.getByLabel('Confirm new password').fill(password);
  await page.getByRole('button', { name: 'Reset password' }).click();
}

test('a forgotten password is set anew, and whoever was signed in is not any more', async ({
  page,
  browser,
  recovery,
  account,
}) => {
  const other = await browser.newContext({ baseURL: recovery.app.origin, locale: 'en' });
  const thief = await other.newPage();
  await thief.goto('/login');
  await logIn(thief, account, account.password);
  await thief.waitForURL((url) => url.pathname === '/');

  await page.goto('/login');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await requestCode(page, `0${account.phone.slice(4)}`);
  const code = await receiveCode(recovery, account.phone);
  expect(messagesTo(recovery, account.phone)).toEqual([
    { to: account.phone, template: 'verification_code', language: 'en', body: [code], button: code },
  ]);
  await page.getByLabel('Verification code').fill(`${code} is your verification code.`);
  await page.getByRole('button', { name: 'Verify code' }).click();
  await expect(page.getByText('Code verified successfully! Please set your new password.')).toBeVisible();
  await page.reload();
  await expect(page.getByText('Code verified successfully! Please set your new password.')).toBeVisible();
  await setPassword(page, NEW_PASSWORD);
  await expect(page.getByText('Password reset successful!')).toBeVisible();
  await page.waitForURL('**/login');
  expect(await page.evaluate(() => localStorage.getItem('resetPhoneNumber'))).toBeNull();
  await logIn(page, account, NEW_PASSWORD);
  await page.waitForURL((url) => url.pathname === '/');

  // The reset closes the thief's live connection with the code that ends a session.
  await expect(thief).toHaveURL(/\/login$/);
  await other.close();
  expect(recovery.app.output()).toContain('whatsapp_accepted');
  expect(recovery.app.output()).not.toMatch(new RegExp(`(?<!\\w)${code}(?!\\w)`));
});

test('a code that Meta does not take at first arrives after all, in Swahili', async ({
  browser,
  recovery,
  account,
}) => {
  recovery.graph.api.failNext({ code: 131016, httpStatus: 500 }, 'drop', { code: 130429, httpStatus: 429 });
  const context = await browser.newContext({ baseURL: recovery.app.origin, locale: 'sw' });
  const page = await context.newPage();
  await page.goto('/forgot-password');
  await page.getByLabel('Namba ya simu (WhatsApp)').fill(account.phone);
  await page.getByRole('button', { name: 'Tuma namba ya uthibitisho' }).click();
  await page.waitForURL('**/verify-code');
  const code = await receiveCode(recovery, account.phone);
  expect(messagesTo(recovery, account.phone)[0]?.language).toBe('sw');
  await page.getByLabel('Namba ya uthibitisho').fill(code);
  await page.getByRole('button', { name: 'Thibitisha' }).click();
  await expect(page.getByRole('heading', { name: 'Weka nenosiri jipya' })).toBeVisible();
  await context.close();
});

test('a code that expired while the phone slept is replaced by another', async ({
  page,
  recovery,
  account,
  expectedErrors,
}) => {
  expectedErrors.push(/400 \(Bad Request\)/);
  await page.clock.install();
  await page.goto('/forgot-password');
  await requestCode(page, account.phone);
  const code = await receiveCode(recovery, account.phone);
  await expect(page.getByRole('timer')).toHaveText(/^04:5\d$/);
  await page.clock.fastForward('02:00');
  await page.reload();
  await expect(page.getByRole('timer')).toHaveText(/^02:5\d$/);
  await expect(page.getByRole('button', { name: 'Resend code' })).toBeHidden();
  await page.clock.fastForward('03:00');
  await expect(page.getByRole('timer')).toHaveText('00:00');
  await expect(page.getByLabel('Verification code')).toBeDisabled();
  await page.getByRole('button', { name: 'Resend code' }).click();
  const next = await receiveCode(recovery, account.phone, 2);
  await expect(page.getByRole('timer')).toHaveText(/^0(5:00|4:5\d)$/);

  test.skip(next === code, 'the second code happens to be the first: one in a million');
  await page.getByLabel('Verification code').fill(code);
  await page.getByRole('button', { name: 'Verify code' }).click();
  await expect(page.getByText('Invalid verification code.')).toBeVisible();
  await page.getByLabel('Verification code').fill(next);
  await page.getByRole('button', { name: 'Verify code' }).click();
  await setPassword(page, NEW_PASSWORD);
  await expect(page.getByText('Password reset successful!')).toBeVisible();
});

test('a number without an account sees the same and is sent nothing', async ({ page, recovery }) => {
  const phone = '+255611111111';
  await page.goto('/forgot-password');
  await requestCode(page, phone);
  await expect(page.getByLabel('Verification code')).toBeEnabled();
  await expect.poll(() => recovery.app.output()).toContain('unknown_recipient');
  expect(messagesTo(recovery, phone)).toEqual([]);
});
