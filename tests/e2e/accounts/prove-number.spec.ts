import type { Page } from '@playwright/test';
import type { LocalWhatsappMessage } from '#contract/channels.ts';
import { expect, test } from '#tests/support/e2e-fixtures.ts';
import { callApi } from '#tests/support/e2e-people.ts';

test.use({ viewport: { width: 360, height: 800 } });

/** Presses the button, and sends the message that WhatsApp would contain, from that number. */
async function sendOurMessage(page: Page, button: string, open: string, from: string): Promise<void> {
  await page.getByRole('button', { name: button }).click();
  const href = await page.getByRole('link', { name: open }).getAttribute('href');
  const text = new URL(href ?? '').searchParams.get('text');
  await callApi('POST', '/api/dev/whatsapp-incoming', { body: { from, text } });
}

async function codeFor(number: string): Promise<string> {
  const list = () =>
    callApi<LocalWhatsappMessage[]>('GET', `/api/dev/whatsapp-messages?to=${encodeURIComponent(number)}`);
  await expect.poll(async () => (await list()).length, { timeout: 20_000 }).toBeGreaterThan(0);
  return (await list())[0]?.code ?? '';
}

test('an owner registers a number held by a squatter, by a message, and the squatter adds another, by a code', async ({
  openAs,
  person,
  expectedErrors,
}) => {
  expectedErrors.push(/409|403/);
  const squatter = await person();
  const page = await openAs(null, '/register', { language: 'sw' });
  await page.getByLabel('Jina la mtumiaji').fill('Mwenye namba');
  await page.getByLabel('Barua pepe').fill(`mwenye-${squatter.email}`);
  await page.getByLabel('Namba ya simu (WhatsApp)').fill(squatter.phone);
  await page.getByLabel('Nenosiri', { exact: true }).fill(squatter.password);
  await page.getByLabel('Rudia nenosiri').fill(squatter.password);
  const submit = page.getByRole('button', { name: 'Fungua akaunti' });
  await submit.click();
  await expect(page.getByText(/Kama namba hii ni yako, ithibitishe hapa chini/)).toBeVisible();
  const [button, open] = ['Tutumie ujumbe wa WhatsApp', 'Fungua WhatsApp'];
  await sendOurMessage(page, button, open, '+255629999999');
  await expect(page.getByText(/Ujumbe umetoka kwenye namba nyingine/)).toBeVisible({ timeout: 10_000 });
  await page.getByRole('button', { name: 'Ghairi' }).click();
  await sendOurMessage(page, button, open, squatter.phone);
  await expect(page.getByText(`Asante! Tumepokea ujumbe wako kutoka ${squatter.phone}.`)).toBeVisible({
    timeout: 10_000,
  });
  await submit.click();
  await expect(page.getByText('Akaunti yako iko tayari. Sasa unaweza kuingia.')).toBeVisible();

  const theirs = await openAs(squatter, '/create-post');
  await expect(theirs.getByText('Your account has no WhatsApp number. Add yours to post again.')).toBeVisible();
  await theirs.getByRole('link', { name: 'Add a number' }).click();
  await expect(theirs.getByRole('heading', { level: 1, name: 'Confirm your number' })).toBeVisible();
  const other = squatter.phone.replace('+2557', '+2556');
  await theirs.getByLabel('Phone number (WhatsApp)').fill(other);
  await theirs.getByLabel('Your password').fill(squatter.password);
  await theirs.getByRole('button', { name: 'Get a verification code instead' }).click();
  await theirs.getByRole('button', { name: 'Send me a verification code' }).click();
  await theirs.getByLabel('Verification code').fill(await codeFor(other));
  await theirs.getByRole('button', { name: 'Save this number' }).click();
  await expect(theirs.getByText(`Your number ${other} is confirmed.`)).toBeVisible();
  await theirs.getByRole('link', { name: 'Continue' }).click();
  await theirs.waitForURL('**/create-post');
  await expect(theirs.locator('h1')).not.toHaveText('Confirm your number');
  await expect(theirs.getByRole('link', { name: 'Add a number' })).toHaveCount(0);
});
