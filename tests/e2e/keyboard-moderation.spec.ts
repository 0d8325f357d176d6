import type { Post } from '#contract/posts.ts';
import { newAdmin } from '#tests/support/e2e-communities.ts';
import { expect, test } from '#tests/support/e2e-fixtures.ts';
import { press, tabTo } from '#tests/support/e2e-keyboard.ts';
import { callApi, newPost, type Person } from '#tests/support/e2e-people.ts';

function hidersOf({ id }: Post, author: Person): Promise<string[]> {
  return callApi<Post>('GET', `/api/posts/${id}`, { token: author.token }).then(({ hidden_by }) => hidden_by);
}

test('the keyboard alone reports a post, hides it, is undone and keeps it, and its author reads why', async ({
  person,
  openAs,
}) => {
  const [author, reader, admin] = [await person(), await person(), await newAdmin()];
  const post = await newPost(author, { title: `Simu za bei nafuu ${author.id.slice(0, 8)}` });

  const readerPage = await openAs(reader, `/posts/${post.id}`);
  const report = readerPage.getByRole('button', { name: 'Report this post' });
  await press(readerPage, report);
  const dialog = readerPage.getByRole('dialog', { name: 'Report this post' });
  await tabTo(readerPage, dialog.getByRole('radio').first());
  await readerPage.keyboard.press('Space');
  await press(readerPage, dialog.getByRole('button', { name: 'Send the report' }));
  await expect(dialog.getByText('Thank you. The admins will look at this post.')).toBeVisible();
  await press(readerPage, dialog.getByRole('button', { name: 'Close' }).last());
  await expect(report).toBeFocused();

  const authorPage = await openAs(author, '/my-posts');
  const page = await openAs(admin, '/admin?tab=reports');
  const card = page.getByRole('main').getByRole('listitem', { name: post.title });
  await expect(card).toContainText('Scam');
  const waiting = page.getByRole('dialog', { name: 'Reported posts are waiting' });
  await expect(waiting).toBeVisible();
  await press(page, waiting.getByRole('link', { name: 'Open the reports' }));
  await tabTo(page, card.getByRole('link', { name: post.title }));
  await page.keyboard.press('h');
  const reason = page.getByRole('dialog', { name: `Hide “${post.title}”?` }).getByRole('textbox', { name: 'Reason' });
  await tabTo(page, reason);
  await expect(reason).toHaveValue('Your post looks like an attempt to cheat people.');
  await press(page, page.getByRole('dialog').getByRole('button', { name: 'Hide' }));
  await expect(card).toContainText('It is hidden.');
  await expect(card).toBeFocused();
  expect(await hidersOf(post, author)).toEqual(['admin']);
  const notice = authorPage.getByRole('dialog', { name: 'Your post is hidden' });
  await expect(notice).toContainText('Reason: Your post looks like an attempt to cheat people.');

  await page.keyboard.press('u');
  await expect(card.getByRole('button', { name: /Hide/ })).toBeVisible();
  expect(await hidersOf(post, author)).toEqual([]);
  await page.keyboard.press('k');
  await expect(card).toContainText('You kept it.');
  await tabTo(page, page.getByRole('tab', { name: 'Open' }), 'Shift+Tab');
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('tab', { name: 'Decided' })).toHaveAttribute('aria-selected', 'true');
  await expect(card).toContainText('You kept it.');
});
