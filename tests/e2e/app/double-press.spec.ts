import type { Page } from '@playwright/test';
import { expect, newAdmin, newApprovedCommunity, newCommunity, test } from '#tests/support/e2e-fixtures.ts';
import { callApi, newOwnerName, newPost, nobodyElse } from '#tests/support/e2e-people.ts';
import { countWrites, fillPost, pressTwice } from '#tests/support/e2e-screen.ts';

type Step = {
  button: string;
  method?: string;
  path: RegExp;
  /** A text that is visible after a success. */
  done: RegExp;
};

/** A field, a banner or a toast that shows an error. */
const COMPLAINTS = '[aria-invalid=true], .bg-danger-soft';

/** Presses the button twice, inside the dialog if there is one, and expects one write and no error. */
async function expectOneWrite(page: Page, { button, method = 'POST', path, done }: Step): Promise<void> {
  const dialog = page.getByRole('dialog');
  const place = (await dialog.count()) > 0 ? dialog : page.getByRole('main');
  const pressed = place.getByRole('button', { name: button, exact: true });
  await expect(pressed).toBeVisible();
  const [writes] = await Promise.all([
    countWrites(page, { method, path }, () => pressTwice(pressed)),
    // The text is checked during the presses, because a toast is visible for three seconds only.
    expect(page.getByText(done).first()).toBeVisible(),
  ]);
  expect(writes, button).toBe(1);
  await expect(page.locator(COMPLAINTS)).toHaveCount(0);
}

/** Waits until the app has replaced the prerendered page. */
async function openApp(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.locator('[data-prerendered]')).toHaveCount(0);
}

test('pressing the button twice to send feedback, register, log in or log out sends one request each', async ({
  page,
}) => {
  const { username, email, phone, password } = nobodyElse();
  await openApp(page, '/');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Message').fill('Asante sana');
  await expectOneWrite(page, {
    button: 'Send feedback',
    path: /\/api\/feedback$/,
    done: /Thank you for your feedback!/,
  });

  await openApp(page, '/register');
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel(/^Phone number/).fill(phone);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Confirm password').fill(password);
  await expectOneWrite(page, { button: 'Create account', path: /\/api\/users$/, done: /Your account is ready/ });

  await expect(page.getByRole('heading', { level: 1, name: 'Log in' })).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await expectOneWrite(page, { button: 'Log in', path: /\/api\/login$/, done: /Welcome to Patikana/ });

  await pressTwice(page.getByRole('button', { name: 'Logout', includeHidden: true }));
  await expect(page.getByRole('heading', { level: 1, name: 'Log in' })).toBeVisible();
});

test('a double press sends only one request, whether it requests a verification code, checks the code or resets the password', async ({
  page,
  person,
}) => {
  const { phone } = await person();
  await openApp(page, '/forgot-password');
  await page.getByLabel(/^Phone number/).fill(phone);
  await expectOneWrite(page, {
    button: 'Send verification code',
    path: /\/request-password-reset$/,
    done: /Verification code sent to your phone number!/,
  });
  const findCode = async () => {
    const path = `/api/dev/whatsapp-messages?to=${encodeURIComponent(phone)}`;
    return (await callApi<{ code: string | null }[]>('GET', path))[0]?.code ?? '';
  };
  await expect.poll(findCode).not.toBe('');
  await page.getByLabel('Verification code').fill(await findCode());
  await expectOneWrite(page, { button: 'Verify code', path: /\/verify-code$/, done: /Code verified successfully!/ });
  await page.getByLabel('New password', { exact: true }).fill('mwembe mkubwa wa babu');
  await page.getByLabel('Confirm new password').fill('mwembe mkubwa wa babu');
  await expectOneWrite(page, {
    button: 'Reset password',
    path: /\/reset-password$/,
    done: /Password reset successful!/,
  });
});

test('a double press on “Join”, “Create community”, “Approve” or “Reject” sends only one request', async ({
  person,
  openAs,
}) => {
  const [creator, admin] = [await person(), await newAdmin()];
  const { access_code } = await newApprovedCommunity(creator, admin, 'Soko la Kariakoo');
  const page = await openAs(await person(), '/communities');
  await expect(page.locator('[data-prerendered]')).toHaveCount(0);
  await page.getByRole('button', { name: 'Create a community' }).click();
  await page.getByRole('dialog').getByLabel('Community name').fill('Shule ya Mbezi');
  await expectOneWrite(page, {
    button: 'Create community',
    path: /\/api\/communities$/,
    done: /“Shule ya Mbezi” has been created/,
  });
  await page.getByRole('textbox', { name: 'Access code' }).fill(access_code);
  await expectOneWrite(page, {
    button: 'Join',
    path: /\/communities\/join$/,
    done: /Successfully joined the community!/,
  });

  const name = `Kata ${crypto.randomUUID().slice(0, 8)}`;
  for (const part of ['moja', 'mbili']) await newCommunity(creator, `${name} ${part}`);
  const adminPage = await openAs(admin, '/admin');
  const search = adminPage.getByRole('textbox', { name: 'Search communities' });
  const approve = adminPage.getByRole('button', { name: 'Approve' });
  await search.fill(`${name} moja`);
  await expect(approve).toHaveCount(1);
  await expectOneWrite(adminPage, { button: 'Approve', path: /\/approve$/, done: /moja” has been approved/ });
  await search.fill(`${name} mbili`);
  await expect(approve).toHaveCount(1);
  await adminPage.getByRole('button', { name: 'Reject' }).click();
  await adminPage.getByRole('dialog').getByLabel('Reason').fill('Jina halieleweki');
  await expectOneWrite(adminPage, { button: 'Reject', path: /\/reject$/, done: /mbili” has been rejected/ });
});

test('a double press on the button that creates a post, marks it as returned or deletes it sends one request', async ({
  person,
  openAs,
}) => {
  const page = await openAs(await person(), '/create-post');
  await fillPost(page, { title: 'Funguo za gari' });
  await expectOneWrite(page, { button: 'Post item', path: /\/api\/posts$/, done: /Post created successfully!/ });
  await page.goto('/my-posts');
  await page.getByRole('button', { name: 'Mark as returned' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectOneWrite(page, {
    button: 'Mark as returned',
    method: 'PATCH',
    path: /\/found$/,
    done: /Item marked as retrieved successfully/,
  });
  await page.getByRole('button', { name: 'Delete' }).click();
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true });
  await expect(confirm).toBeVisible();
  const writes = await countWrites(page, { method: 'DELETE', path: /\/api\/posts\// }, async () => {
    await pressTwice(confirm);
    // Leaving the screen sends the deletion at once, before the time to undo it is over.
    await page.getByRole('button', { name: 'Back' }).click();
  });
  expect(writes).toBe(1);
  await expect(page.locator(COMPLAINTS)).toHaveCount(0);
});

test('pressing a button of a notice twice sends one request', async ({ person, openAs }) => {
  const [owner, finder] = [await person(), await person()];
  const [first, second] = [aLicence(), aLicence()];
  for (const { lost } of [first, second]) await newPost(owner, lost);
  const page = await openAs(owner, '/my-posts');
  await expect(page.getByRole('article')).toHaveCount(2);
  await newPost(finder, first.found);
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectOneWrite(page, { button: 'Close', path: /\/notices\/read$/, done: /Nimepoteza leseni/ });
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await newPost(finder, second.found);
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectOneWrite(page, {
    button: 'Not this one',
    path: /\/dismiss$/,
    done: /We will not show you these two posts together again/,
  });
});

test('pressing a button of a match twice sends one request', async ({ person, openAs }) => {
  const [owner, finder] = [await person(), await person()];
  const { lost, found } = aLicence();
  await newPost(owner, lost);
  const { id } = await newPost(finder, found);
  // The author who posted last sees the match on their post's page. The other author is notified.
  const page = await openAs(finder, `/posts/${id}`);
  await expect(page.getByRole('link', { name: lost.title })).toBeVisible();
  await expectOneWrite(page, {
    button: 'It is this one',
    path: /\/matches\/[^/]+\/confirm$/,
    done: /We have notified the author of that post/,
  });
  await expectOneWrite(page, {
    button: 'Not this one',
    path: /\/matches\/[^/]+\/dismiss$/,
    done: /We will not show you that post as a match/,
  });
});

function aLicence() {
  const name = newOwnerName();
  return {
    lost: { ...name, title: 'Nimepoteza leseni ya udereva', posted_by: 'owner', description: '' },
    found: { ...name, title: 'Driving licence found', posted_by: 'finder', description: '' },
  } as const;
}
