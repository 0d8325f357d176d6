import { expect, newAdmin, test } from '#tests/support/e2e-fixtures.ts';
import { newPost } from '#tests/support/e2e-people.ts';
import { press, tabTo, typeInto } from '#tests/support/e2e-screen.ts';

const PHONE = { width: 360, height: 800 };

/** Expects that the user sees "not found" at the post's address. */
test.use({ expectedErrors: [/404 \(Not Found\).*\/api\/posts\//] });

test('a person blocks the author of a post, undoes it, blocks again and unblocks', async ({ person, openAs }) => {
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

test('an admin finds a person, suspends them and undoes it, and each step notifies the person', async ({
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
