import type { Post } from '#contract/posts.ts';
import { expect, newAdmin, newCommunity, test } from '#tests/support/e2e-fixtures.ts';
import { callApi, newPost, type Person } from '#tests/support/e2e-people.ts';
import { press, tabTo, typeInto } from '#tests/support/e2e-screen.ts';

// Tests run one after the other, because a report opens a dialog on every admin's screen.
test.describe.configure({ mode: 'default' });

test('a keyboard user approves, suspends and rejects communities, and marks feedback as done', async ({
  person,
  openAs,
}) => {
  const creator = await person();
  const [name, other] = [`Kata ya ${creator.id.slice(0, 8)}`, `Mtaa wa ${creator.id.slice(0, 8)}`];
  const { id } = await newCommunity(creator, name);
  await newCommunity(creator, other);
  const message = `Asante ${crypto.randomUUID()}`;
  await callApi('POST', '/api/feedback', { body: { email: 'msomaji@example.com', message } });
  const creatorPage = await openAs(creator, '/my-posts');
  const page = await openAs(await newAdmin(), '/admin');
  const pending = page.getByRole('region', { name: 'Pending' });
  const cardOf = (title: string) => page.getByRole('main').getByRole('listitem').filter({ hasText: title });

  await test.step('the admin approves a community', async () => {
    const card = cardOf(name);
    await typeInto(page, 'Search communities', name);
    await expect(page.getByRole('main').getByRole('button', { name: 'Approve' })).toHaveCount(1);
    await press(page, card.getByRole('button', { name: 'Approve' }));
    await expect(page.getByText(`“${name}” has been approved.`)).toBeVisible();
    await expect(card).toHaveCount(0);
    await expect(pending).toBeFocused();
    await tabTo(page, page.getByRole('tab', { name: 'Pending' }), 'Shift+Tab');
    await page.keyboard.press('ArrowRight');
    await expect(page.getByRole('tab', { name: 'Approved' })).toHaveAttribute('aria-selected', 'true');
    await expect(card).toBeVisible();

    const notice = creatorPage.getByRole('dialog', { name: 'Your community is approved' });
    await expect(notice.locator(':focus')).toHaveCount(1);
    await press(creatorPage, notice.getByRole('link', { name: 'Open the community' }));
    await expect(creatorPage).toHaveURL(new RegExp(`/community-details/${id}$`));
    await expect(creatorPage.locator('main')).toBeFocused();
  });

  await test.step('the admin suspends a community', async () => {
    const card = cardOf(name);
    await press(page, card.getByRole('button', { name: `Suspend ${name}` }));
    const dialog = page.getByRole('dialog', { name: `Suspend the community “${name}”?` });
    await tabTo(page, dialog.getByRole('textbox', { name: 'Reason' }));
    await page.keyboard.type('Ni biashara.');
    await press(page, dialog.getByRole('button', { name: 'Suspend' }));
    await expect(card).toContainText('Reason: Ni biashara.');
    // The community's page, which the creator has open, shows the suspension. No dialog covers the page.
    await expect(creatorPage.getByRole('main')).toContainText('Reason: Ni biashara.');
    await expect(creatorPage.getByRole('dialog')).toHaveCount(0);
    await expect(card.getByRole('button', { name: `Reinstate ${name}` })).toBeFocused();
    await page.keyboard.press('Enter');
    const notice = creatorPage.getByRole('dialog', { name: 'Your community is open again' });
    await press(creatorPage, notice.getByRole('link', { name: 'Open the community' }));
    await tabTo(page, page.getByRole('tab', { name: 'Approved' }), 'Shift+Tab');
  });

  await test.step('the admin rejects a community', async () => {
    const card = cardOf(other);
    await page.keyboard.press('ArrowLeft');
    await tabTo(page, page.getByLabel('Search communities'), 'Shift+Tab');
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type(other);
    await expect(page.getByRole('main').getByRole('button', { name: 'Approve' })).toHaveCount(1);
    const dialog = page.getByRole('dialog', { name: `Reject “${other}”?` });
    await press(page, card.getByRole('button', { name: 'Reject' }));
    await press(page, dialog.getByRole('button', { name: 'Cancel' }));
    await expect(dialog).toHaveCount(0);
    await expect(card.getByRole('button', { name: 'Reject' })).toBeFocused();
    await page.keyboard.press('Enter');
    await tabTo(page, dialog.getByRole('textbox', { name: 'Reason' }));
    await press(page, dialog.getByRole('button', { name: 'Reject' }));
    // The reason is still empty, so the dialog moves the focus back to the field.
    await expect(dialog.getByRole('textbox', { name: 'Reason' })).toBeFocused();
    await page.keyboard.type('Tumia jina kamili la mtaa.');
    await press(page, dialog.getByRole('button', { name: 'Reject' }));
    await expect(page.getByText(`“${other}” has been rejected.`)).toBeVisible();
    await expect(card).toHaveCount(0);
    await expect(pending).toBeFocused();

    const notice = creatorPage.getByRole('dialog', { name: 'Your community was not approved' });
    await expect(notice).toContainText('Tumia jina kamili la mtaa.');
    await press(creatorPage, notice.getByRole('button', { name: 'Close' }).last());
    await expect(notice).toHaveCount(0);
  });

  await test.step('the admin marks a person’s feedback as done', async () => {
    await tabTo(page, page.getByRole('tab', { name: 'Communities' }), 'Shift+Tab');
    await page.keyboard.press('End');
    await tabTo(page, page.getByRole('tab', { name: 'Switches' }));
    await page.keyboard.press('ArrowRight');
    await expect(page.getByRole('tabpanel', { name: 'Feedback' })).toContainText(message);
    const entry = cardOf(message);
    await tabTo(page, entry.getByRole('link', { name: 'msomaji@example.com' }));
    await press(page, entry.getByRole('button', { name: 'Mark as done' }));
    await expect(entry).toHaveCount(0);
    await expect(page.getByRole('region', { name: 'Feedback' })).toBeFocused();
  });
});

function hidersOf({ id }: Post, author: Person): Promise<string[]> {
  return callApi<Post>('GET', `/api/posts/${id}`, { token: author.token }).then(({ hidden_by }) => hidden_by);
}

test('a keyboard user reports a post; an admin hides the post, undoes the decision, and closes the case without hiding the post', async ({
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
