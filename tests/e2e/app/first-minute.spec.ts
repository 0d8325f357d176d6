import type { Page } from '@playwright/test';
import type { PostEntry } from '#contract/posts.ts';
import { expect, test } from '#tests/support/e2e-fixtures.ts';
import { slowDown } from '#tests/support/e2e-offline.ts';
import { callApi, type Person } from '#tests/support/e2e-people.ts';
import { fillPost, findViolations, sendPost } from '#tests/support/e2e-screen.ts';

test.use({ locale: 'en' });

const PASSWORD = 'tumaini la kesho';

async function ownPosts({ token }: Pick<Person, 'token'>) {
  const entries = await callApi<PostEntry[]>('GET', '/api/posts/by-owner', { token });
  return entries.map(({ Post: { title, posted_by, phone_number } }) => ({ title, posted_by, phone_number }));
}

async function logIn(page: Page, email: string): Promise<void> {
  await expect(page.getByRole('heading', { level: 1, name: 'Log in' })).toBeVisible();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in' }).click();
}

/** Checks that choices and buttons are large enough for a thumb, and that the page is not wider than the phone. */
async function expectRoomForThumbs(page: Page): Promise<void> {
  const small = await page.evaluate(() =>
    [...document.querySelectorAll('form label:has([type=radio]), fieldset button, fieldset a')]
      .filter((element) => element.checkVisibility())
      .map((element) => element.getBoundingClientRect())
      .filter(({ width, height }) => width < 44 || height < 44),
  );
  expect(small).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
}

test('on a slow connection, a visitor posts a found thing and creates an account at the end of the form', async ({
  page,
}) => {
  const number = String(crypto.getRandomValues(new Uint32Array(1))[0])
    .padStart(10, '0')
    .slice(-8);
  const email = `dakika${number}@example.com`;
  await slowDown(page);
  await page.goto('/', { waitUntil: 'commit' });
  // The prerendered page contains the link before the app's code has loaded.
  await page.getByRole('link', { name: 'Report Item' }).click();
  await expect(page.getByText('you log in at the end')).toBeVisible();
  await page.getByRole('radio', { name: 'No, I found it' }).check();
  await sendPost(page, { title: `Funguo ${number}` });
  const account = page.getByRole('group', { name: 'To create a post make sure you have logged in.' });
  await expect(account.getByRole('link', { name: 'Log in' })).toBeFocused();
  await expectRoomForThumbs(page);
  await account.getByRole('link', { name: 'Create an account' }).click();

  await page.getByLabel('Username').fill('Asha Mushi');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Phone number (WhatsApp)').fill(`07${number}`);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await logIn(page, email);

  await expect(page).toHaveURL(/\/create-post$/);
  await expect(page.getByText('Your post is here as you wrote it.')).toBeVisible();
  await expect(page.getByLabel('Title')).toHaveValue(`Funguo ${number}`);
  await page.getByRole('button', { name: 'Send it now' }).click();
  await expect(page.getByText('Post created successfully!').first()).toBeVisible();
  await expect(page).toHaveURL(/\/view-posts$/);
  const token = await page.evaluate(() => localStorage.getItem('token') ?? '');
  expect(await ownPosts({ token })).toEqual([
    { title: `Funguo ${number}`, posted_by: 'finder', phone_number: '0712345678' },
  ]);
});

test('a signed-in finder posts an ID card with three presses, and the post shows the finder’s phone number', async ({
  person,
  openAs,
}) => {
  const finder = await person();
  const page = await openAs(finder, '/');
  await page.getByRole('link', { name: 'Report Item' }).click();
  await page.getByRole('radio', { name: 'No, I found it' }).check();
  await expect(page.getByLabel('Phone number')).toHaveValue(finder.phone);
  await fillPost(page, { title: 'Kitambulisho cha NIDA cha Mariam Hassan', phone: null });
  await expect(page.getByLabel(/^ID number/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Hide my number' })).toBeVisible();
  await expectRoomForThumbs(page);
  await page.getByRole('button', { name: 'Post item' }).click();
  await expect(page.getByText('Post created successfully!').first()).toBeVisible();
  const [entry] = await callApi<PostEntry[]>('GET', '/api/posts/by-owner', { token: finder.token });
  expect(entry?.Post).toMatchObject({ posted_by: 'finder', contact: 'number', phone_number: finder.phone });
});

test('no field of the post form moves while the user types; an error in the closed section “More details” opens the section', async ({
  person,
  openAs,
}) => {
  const page = await openAs(await person(), '/create-post');
  await fillPost(page, { title: 'Pochi ya kahawia' });
  const description = page.getByLabel('Description');
  await description.focus();
  const top = () => description.evaluate((field) => Math.round(field.getBoundingClientRect().top));
  const before = await top();
  await description.pressSequentially('Ndani kuna leseni');
  const identifier = page.getByLabel(/^ID number/);
  await expect(page.getByRole('button', { name: 'Hide my number' })).toHaveCount(1);
  await expect(identifier).toBeVisible();
  expect(Math.abs((await top()) - before)).toBeLessThanOrEqual(1);

  await identifier.fill('12');
  await page.getByText('More details').click();
  await expect(identifier).toBeHidden();
  await page.getByRole('button', { name: 'Post item' }).click();
  await expect(identifier).toBeFocused();
  await expect(identifier).toBeInViewport();
  await page.getByRole('button', { name: 'Hide my number' }).click();
  await expect(page.getByRole('button', { name: 'Show my number' })).toBeFocused();
  await expect(page.getByLabel(/^Your question to people who claim it/)).toBeVisible();
});

test('after a search without results, a person posts a lost phone; the form asks for a phone number other than the account’s', async ({
  person,
  openAs,
}) => {
  const owner = await person();
  const page = await openAs(owner, `/view-posts?search=${crypto.randomUUID()}`);
  await page.getByRole('link', { name: 'Post what you lost' }).click();
  await expect(page.getByRole('radio', { name: 'Yes, I lost it' })).toBeChecked();
  await expect(page.getByLabel('Phone number')).toHaveValue(owner.phone);
  await fillPost(page, { title: 'Simu ya Tecno nyeusi', phone: null });
  await expect(page.getByLabel('Phone number')).toHaveValue('');
  await expect(page.getByText('Your own rings with the person who has it now.')).toBeVisible();
  await page.getByLabel('Phone number').fill('0754 111 222');
  await page.getByRole('button', { name: 'Post item' }).click();
  await expect(page.getByText('Post created successfully!').first()).toBeVisible();
  expect(await ownPosts(owner)).toEqual([
    { title: 'Simu ya Tecno nyeusi', posted_by: 'owner', phone_number: '0754111222' },
  ]);
});

test('a visitor’s draft of a post is restored after a reload and after Back; a user who then logs in can decline the draft', async ({
  person,
  openAs,
}) => {
  const next = await person();
  const page = await openAs(null, '/create-post');
  await fillPost(page, { title: 'Pochi ya Asha' });
  await page.reload();
  await expect(page.getByLabel('Title')).toHaveValue('Pochi ya Asha');
  await page.getByRole('link', { name: 'Patikana' }).first().click();
  await expect(page).toHaveURL(/\/$/);
  await page.goBack();
  await expect(page.getByLabel('Title')).toHaveValue('Pochi ya Asha');

  const second = await page.context().newPage();
  await second.goto('/login');
  await logIn(second, next.email);
  await expect(second).toHaveURL(/\/$/);
  await second.goto('/create-post');
  await expect(second.getByRole('group', { name: /^Somebody started a post on this phone/ })).toContainText(
    'Pochi ya Asha',
  );
  await expectRoomForThumbs(second);
  await expect(second.getByLabel('Title')).toHaveValue('');
  await expect(second.getByLabel('Phone number')).toHaveValue(next.phone);
  await second.getByRole('button', { name: 'No', exact: true }).click();
  await expect(page.getByLabel('Title')).toHaveValue('Pochi ya Asha');
});

const WORDS = {
  lost: 'Ndiyo, nimekipoteza',
  found: 'Hapana, nimekiokota',
  title: 'Kichwa cha tangazo',
  place: 'Mahali',
  number: 'Namba ya simu',
  post: 'Tangaza',
};

test('the first questions of the post form have large buttons, and no axe violations in the light or the dark theme', async ({
  person,
  openAs,
}) => {
  const author = await person();
  const visitor = await openAs(null, '/create-post', { language: 'sw' });
  const writer = await openAs(author, '/create-post', { language: 'sw' });
  for (const page of [visitor, writer]) {
    await page.getByRole('radio', { name: WORDS.lost }).check();
    await page.getByLabel(WORDS.title).fill('Funguo');
    await page.getByLabel(WORDS.place).fill('Moshi');
    await page.getByLabel(WORDS.number, { exact: true }).fill('0712345678');
  }
  await visitor.getByRole('button', { name: WORDS.post, exact: true }).click();
  await expect(visitor.locator('fieldset:focus-within')).toBeVisible();
  for (const page of [visitor, writer]) await expectRoomForThumbs(page);
  await writer.getByRole('radio', { name: WORDS.found }).check();
  await writer.getByLabel(WORDS.title).fill('Simu');
  // For a found phone, the form suggests contact through Patikana and opens "More details".
  await expect(writer.locator('[name=identifier]')).toBeVisible();
  for (const page of [visitor, writer]) expect(await findViolations(page)).toEqual([]);
});
