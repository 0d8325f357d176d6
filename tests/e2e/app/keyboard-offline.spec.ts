import { test as base, expect } from '#tests/support/e2e-fixtures.ts';
import { CUT_OFF, ownTitles, waitUntilKept, waitUntilSeen } from '#tests/support/e2e-offline.ts';
import { newPost, type Person } from '#tests/support/e2e-people.ts';
import { button, link, press, typeInto } from '#tests/support/e2e-screen.ts';

const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from the pattern.
  expectedErrors: async ({}, use) => use([CUT_OFF]),
});

test.use({ serviceWorkers: 'allow' });

test('a keyboard user posts offline, discards one post, and the other is sent once', async ({ person, openAs }) => {
  const writer: Person = await person();
  const page = await openAs(writer, '/create-post');
  await waitUntilKept(page, /my-posts-screen/);
  await page.context().setOffline(true);
  await expect(page.getByText('You are offline.')).toBeVisible();
  for (const title of ['Kitambulisho cha Neema', 'Mkoba wa Neema']) {
    await typeInto(page, 'Title', title);
    await typeInto(page, 'Location', 'Stendi ya Ubungo');
    await typeInto(page, 'Phone number', '0712345678');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/my-posts$/);
    await expect(page.getByRole('heading', { name: title })).toBeVisible();
    if (title.startsWith('Kitambulisho')) await press(page, link(page, 'Report Item'));
  }
  const waiting = page.getByRole('region', { name: 'Posts waiting for the network' });
  const taken = waiting.getByRole('article').filter({ hasText: 'Mkoba wa Neema' });
  await expect(waiting.getByText('It is posted once, automatically, when the network returns.')).toHaveCount(2);
  await press(page, taken.getByRole('button', { name: 'Do not post it' }));
  await expect(taken).toHaveCount(0);
  await page.context().setOffline(false);
  await expect(page.getByText('Posted: Kitambulisho cha Neema')).toBeVisible();
  await expect(waiting).toBeEmpty();
  expect(await ownTitles(writer)).toEqual(['Kitambulisho cha Neema']);
});

test('a keyboard user reads a post offline and logs out', async ({ person, openAs }) => {
  const author = await person();
  const title = `Pochi ya ngozi ${author.id.slice(0, 8)}`;
  await newPost(author, { title, description: 'Ina kadi mbili na picha.' });
  const page = await openAs(author, '/view-posts');
  await expect(page.getByText(title).first()).toBeVisible();
  await waitUntilKept(page, /post-screen/);
  await waitUntilSeen(page);
  await page.context().setOffline(true);
  await page.reload();
  await expect(page.getByText(/Saved on this phone, last updated/)).toBeVisible();
  await press(page, link(page, title));
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  await expect(page.getByText('Ina kadi mbili na picha.')).toBeVisible();
  await press(page, link(page, 'Skip to content'));
  await press(page, button(page, 'Logout'));
  await expect(page).toHaveURL(/\/login$/);
});
