import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import type { Me, Session } from '#contract/accounts.ts';
import type { LocalWhatsappMessage } from '#contract/channels.ts';
import { expect, newAdmin, test } from '#tests/support/e2e-fixtures.ts';
import { callApi, confirmationLink, newPost, type Person } from '#tests/support/e2e-people.ts';
import { press, tabTo, typeInto } from '#tests/support/e2e-screen.ts';

test.describe('account settings', () => {
  function signInElsewhere({ email, password }: Pick<Person, 'email' | 'password'>): Promise<Session> {
    return callApi('POST', '/api/login', { body: new URLSearchParams({ username: email, password }) });
  }

  test('a person changes their e-mail address, and proves the new address by a link that works only once', async ({
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

  test('a person signs out one device, and then sets a new password, which signs out all other devices', async ({
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
    // Both tabs of this browser use the token that the password change returned.
    for (const tab of [page, second]) {
      await tab.goto('/account');
      await expect(tab.getByText(asha.email)).toBeVisible();
    }
  });

  test('a person downloads their data and deletes their account; the server then has none of the data', async ({
    person,
    openAs,
    expectedErrors,
  }) => {
    // After the account is deleted, the app asks the server to end the session, and gets a 401.
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
});

test.describe('people and blocks', () => {
  const PHONE = { width: 360, height: 800 };

  /** Opening the post of a blocked author gets a 404, which the browser logs. */
  test.use({ expectedErrors: [/404 \(Not Found\).*\/api\/posts\//] });

  test('a person blocks an author and presses “Undo”, then blocks the author again and presses “Unblock”', async ({
    person,
    openAs,
  }) => {
    const [author, reader] = [await person(), await person()];
    const post = await newPost(author, { title: `Begi la ${author.id.slice(0, 8)}` });
    const page = await openAs(reader, `/posts/${post.id}`);
    await page.setViewportSize(PHONE);
    const dialog = page.getByRole('dialog', { name: 'Block this person?' });
    await press(page, page.getByRole('button', { name: 'Block this person' }));
    await expect(dialog).toContainText('They are not notified');
    await press(page, dialog.getByRole('button', { name: 'Block', exact: true }));
    await expect(dialog).toContainText('This person is blocked.');
    await dialog.getByRole('button', { name: 'Undo' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(page.getByRole('heading', { name: post.title })).toBeVisible();

    await page.getByRole('button', { name: 'Block this person' }).click();
    await dialog.getByRole('button', { name: 'Block', exact: true }).click();
    await expect(dialog).toContainText('This person is blocked.');
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await expect(page).toHaveURL(/\/view-posts$/);
    await expect(page.getByRole('heading', { name: post.title })).toHaveCount(0);
    await page.goto(`/posts/${post.id}`);
    await expect(page.getByText('This post does not exist, or it is not visible to you.')).toBeVisible();

    await page.goto('/account');
    const blocked = page.getByRole('main').getByRole('listitem').filter({ hasText: post.title });
    await expect(blocked).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width);
    await press(page, blocked.getByRole('button', { name: 'Unblock' }));
    await expect(blocked).toHaveCount(0);
    await expect(page.getByRole('heading', { name: 'People you have blocked' })).toBeFocused();
    await page.goto(`/posts/${post.id}`);
    await expect(page.getByRole('heading', { name: post.title })).toBeVisible();
  });

  test('an admin suspends a person and then reinstates the person, who is notified of each step', async ({
    person,
    openAs,
  }) => {
    const author = await person();
    const post = await newPost(author, { title: `Begi la ${author.id.slice(0, 8)}` });
    const authorPage = await openAs(author, '/my-posts');
    await authorPage.setViewportSize(PHONE);
    const admin = await newAdmin();
    const page = await openAs(admin, '/admin?tab=lookUp');
    await page.setViewportSize(PHONE);
    await typeInto(page, 'Search for a person or a post', author.email);
    const found = page.getByRole('link', { name: author.username });
    await expect(found).toBeVisible();
    await press(page, found);
    await expect(page.getByRole('heading', { level: 1, name: author.username })).toBeVisible();
    await press(page, page.getByRole('button', { name: 'Suspend' }));
    const dialog = page.getByRole('dialog', { name: `Suspend ${author.username}?` });
    await tabTo(page, dialog.getByRole('textbox', { name: 'Reason' }));
    await page.keyboard.type('Anaomba pesa.');
    await press(page, dialog.getByRole('button', { name: 'Suspend' }));
    await expect(page.getByText('Reason: Anaomba pesa.')).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width);

    const notice = authorPage.getByRole('dialog', { name: 'Your account is suspended' });
    await expect(notice).toContainText('Anaomba pesa.');
    await notice.getByRole('button', { name: 'Close' }).last().click();
    await expect(authorPage.getByRole('status').filter({ hasText: 'Reason: Anaomba pesa.' })).toBeVisible();
    expect(await authorPage.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width);
    const visitor = await openAs(await person(), `/posts/${post.id}`);
    await expect(visitor.getByText('This post does not exist, or it is not visible to you.')).toBeVisible();

    await press(page, page.getByRole('button', { name: 'Undo the suspension' }));
    await expect(page.getByText('They may read and write.')).toBeVisible();
    await expect(authorPage.getByRole('dialog', { name: 'Your account is open again' })).toBeVisible();
    await visitor.reload();
    await expect(visitor.getByRole('heading', { name: post.title })).toBeVisible();

    await page.goto('/admin?tab=log');
    const sentence = `${admin.username} reinstated ${author.username}`;
    await expect(page.getByRole('listitem').filter({ hasText: sentence })).toBeVisible();
    await page.goto('/admin?tab=week');
    await expect(page.getByRole('columnheader', { name: 'Match notices' })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width);
  });
});

test.describe('proving a phone number', () => {
  test.use({ viewport: { width: 360, height: 800 } });

  /** Presses the button, and sends the prefilled WhatsApp message from the phone number `from`. */
  async function sendOurMessage(page: Page, button: string, open: string, from: string): Promise<void> {
    await page.getByRole('button', { name: button }).click();
    const href = await page.getByRole('link', { name: open }).getAttribute('href');
    const text = new URL(href ?? '').searchParams.get('text');
    await callApi('POST', '/api/dev/whatsapp-incoming', { body: { from, text } });
  }

  async function codeFor(number: string): Promise<string> {
    const list = () =>
      callApi<LocalWhatsappMessage[]>('GET', `/api/dev/whatsapp-messages?to=${encodeURIComponent(number)}`);
    await expect.poll(async () => (await list()).length).toBeGreaterThan(0);
    return (await list())[0]?.code ?? '';
  }

  test('a new user proves a phone number and takes it from another account, whose user then proves a different number', async ({
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
    await expect(page.getByText(/Ujumbe umetoka kwenye namba nyingine/)).toBeVisible();
    await page.getByRole('button', { name: 'Ghairi' }).click();
    await sendOurMessage(page, button, open, squatter.phone);
    await expect(page.getByText(`Asante! Tumepokea ujumbe wako kutoka ${squatter.phone}.`)).toBeVisible();
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
});
