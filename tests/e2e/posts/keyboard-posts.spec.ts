import type { PostEntry } from '#contract/posts.ts';
import { expect, test } from '#tests/support/e2e-fixtures.ts';
import { ownTitles } from '#tests/support/e2e-offline.ts';
import { callApi, newPost } from '#tests/support/e2e-people.ts';
import { button, link, press, tabTo, typeInto } from '#tests/support/e2e-screen.ts';

/** A word that no other post contains. */
function newWord(): string {
  return `neno${crypto.randomUUID().replace(/\D/g, '').slice(0, 8)}`;
}

test('a keyboard user chooses lost or found, fills in the form, hides the phone number and adds a question to claimants', async ({
  person,
  openAs,
}) => {
  const author = await person();
  const page = await openAs(author, '/create-post');
  const [lost, found] = [page.getByLabel('Yes, I lost it'), page.getByLabel('No, I found it')];
  await press(page, lost, 'Space');
  await page.keyboard.press('ArrowRight');
  await expect(found).toBeChecked();
  await expect(found).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(lost).toBeChecked();
  await typeInto(page, 'Title', 'nimepoteza miwani');
  await typeInto(page, 'Location', 'Posta');
  await expect(page.getByLabel('Phone number')).toHaveValue(author.phone);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Post created successfully!').first()).toBeVisible();
  expect(await ownTitles(author)).toEqual(['nimepoteza miwani']);

  await expect(page).toHaveURL(/\/view-posts$/);
  await tabTo(page, link(page, 'My Posts'), 'Shift+Tab');
  await page.keyboard.press('Enter');
  await press(page, link(page, 'Report Item'));
  await typeInto(page, 'Title', 'Simu nyeusi');
  await typeInto(page, 'Location', 'Posta');
  await press(page, button(page, 'Hide my number'));
  await expect(button(page, 'Show my number')).toBeFocused();
  await typeInto(page, 'Your question to people who claim it (optional)', 'Ina kava gani?');
  // Enter closes "More details", and Space opens it again.
  const summary = page.locator('summary', { hasText: 'More details' });
  await tabTo(page, summary, 'Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel(/^ID number/)).toBeHidden();
  await page.keyboard.press('Space');
  await expect(page.getByLabel(/^ID number/)).toBeVisible();
  await press(page, button(page, 'Post item'));
  await expect(page).toHaveURL(/\/view-posts$/);
  const [entry] = await callApi<PostEntry[]>('GET', '/api/posts/by-owner', { token: author.token });
  expect(entry?.Post).toMatchObject({ contact: 'claim', claim_question: 'Ina kava gani?' });
});

test('after logging in, a keyboard user can send a post written as a visitor or before the session expired', async ({
  person,
  openAs,
  expectedErrors,
}) => {
  expectedErrors.push(/401/);
  const author = await person();
  const page = await openAs(null, '/create-post');
  await press(page, page.getByLabel('Yes, I lost it'), 'Space');
  await page.keyboard.press('ArrowRight');
  await typeInto(page, 'Title', 'Pochi ya kahawia');
  await typeInto(page, 'Location', 'Posta');
  await typeInto(page, 'Phone number', '0712345678');
  await page.keyboard.press('Enter');
  const account = page.getByRole('group', { name: 'To create a post make sure you have logged in.' });
  await expect(account.getByRole('link', { name: 'Log in' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/login$/);
  await typeInto(page, 'Email', author.email);
  await typeInto(page, 'Password', author.password);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/create-post$/);
  await press(page, button(page, 'Send it now'));
  await expect(page.getByText('Post created successfully!').first()).toBeVisible();
  expect(await ownTitles(author)).toEqual(['Pochi ya kahawia']);

  await page.goto('/create-post');
  await typeInto(page, 'Title', 'Mwavuli mweusi');
  await typeInto(page, 'Location', 'Posta');
  // Waits until the form has filled in the account's own phone number, which the next keys replace.
  await expect(page.getByLabel('Phone number')).not.toHaveValue('');
  await tabTo(page, page.getByLabel('Phone number'));
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('0712345678');
  await page.evaluate(() => localStorage.setItem('token', 'expired'));
  await page.reload();
  await expect(page).toHaveURL(/\/login$/);
  await typeInto(page, 'Email', author.email);
  await typeInto(page, 'Password', author.password);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/create-post$/);
  await expect(page.getByLabel('Title')).toHaveValue('Mwavuli mweusi');
  await press(page, button(page, 'Post item'));
  await expect(page.getByText('Post created successfully!').first()).toBeVisible();
  expect(await ownTitles(author)).toEqual(['Mwavuli mweusi', 'Pochi ya kahawia']);
});

test('a keyboard user edits a post, and can cancel or undo the actions “Mark as returned” and “Delete”', async ({
  person,
  openAs,
}) => {
  const author = await person();
  await newPost(author, { title: 'Mkoba' });
  const page = await openAs(author, '/my-posts');
  await expect(page.getByRole('article')).toHaveCount(1);
  await press(page, link(page, 'Update'));
  await expect(page.getByLabel('Title')).toHaveValue('Mkoba');
  await tabTo(page, page.getByLabel('Title'));
  await page.keyboard.press('End');
  await page.keyboard.type(' mwekundu');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Post updated successfully!').first()).toBeVisible();
  await expect(page).toHaveURL(/\/my-posts$/);
  await expect(page.getByRole('heading', { name: 'Mkoba mwekundu' })).toBeVisible();

  await press(page, button(page, 'Delete'));
  const dialog = page.getByRole('dialog');
  await expect(dialog.locator(':focus')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(button(page, 'Delete')).toBeFocused();
  await tabTo(page, button(page, 'Mark as returned'), 'Shift+Tab');
  await page.keyboard.press('Space');
  await expect(dialog.locator(':focus')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(button(page, 'Mark as returned')).toBeFocused();
  await page.keyboard.press('Space');
  await press(page, dialog.getByRole('button', { name: 'Mark as returned' }));
  await expect(page.getByText('Item marked as retrieved successfully')).toBeVisible();
  await expect(link(page, 'Update')).toBeFocused();
  await tabTo(page, button(page, 'Undo'), 'Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Your post is open again.')).toBeVisible();
  await expect(link(page, 'Update')).toBeFocused();

  const region = page.getByRole('region', { name: 'My Posts' });
  await press(page, button(page, 'Delete'));
  await expect(dialog.locator(':focus')).toHaveCount(1);
  await press(page, dialog.getByRole('button', { name: 'Delete' }));
  await expect(region).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(button(page, 'Undo')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('article')).toHaveCount(1);
  await expect(region).toBeFocused();
  await press(page, button(page, 'Delete'));
  await press(page, dialog.getByRole('button', { name: 'Delete' }));
  await expect(page.getByText("You don't have any post")).toBeVisible();
  await expect(region).toBeFocused();
});

test('a keyboard user searches posts as a visitor, shares a post, and logs in to see the contact', async ({
  person,
  openAs,
}) => {
  const [author, reader] = [await person(), await person()];
  const word = newWord();
  const post = await newPost(author, { title: `Begi ${word}`, phone_number: '0754111222' });
  const page = await openAs(null, '/view-posts');
  await page.context().grantPermissions(['clipboard-write']);
  await typeInto(page, 'Search posts', word);
  await expect(page).toHaveURL(new RegExp(`search=${word}`));
  await expect(page.getByRole('article')).toHaveCount(1);
  await press(page, button(page, 'Clear the search'));
  await expect(page.getByLabel('Search posts')).toHaveValue('');
  await expect(page.getByLabel('Search posts')).toBeFocused();
  await page.keyboard.type(word);
  await expect(page.getByRole('article')).toHaveCount(1);
  await press(page, link(page, post.title));
  await expect(page.getByRole('heading', { level: 1, name: post.title })).toBeVisible();
  await press(page, button(page, 'Share'));
  await press(page, button(page, 'Copy the message'));
  await expect(page.getByText('Link copied.')).toBeVisible();
  await expect(button(page, 'Share')).toBeFocused();
  await tabTo(page, link(page, 'Log in to view contact'), 'Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/login$/);
  await typeInto(page, 'Email', reader.email);
  await typeInto(page, 'Password', reader.password);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/posts/${post.id}$`));
  await press(page, link(page, 'Contact poster'));
  await expect(page.getByRole('heading', { level: 1, name: 'Contact poster' })).toBeVisible();
  await tabTo(page, link(page, 'Call'));
  await expect(link(page, 'Call')).toHaveAttribute('href', 'tel:0754111222');
  await tabTo(page, button(page, 'Back'), 'Shift+Tab');
  await page.keyboard.press('Enter');
  await press(page, button(page, 'Share'));
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(button(page, 'Share')).toBeFocused();
  await tabTo(page, link(page, 'All posts'), 'Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/view-posts$/);
});
