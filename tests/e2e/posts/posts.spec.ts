import type { Page } from '@playwright/test';
import type { Post, PostEntry } from '#contract/posts.ts';
import { expect, test } from '#tests/support/e2e-fixtures.ts';
import { waitUntilKept } from '#tests/support/e2e-offline.ts';
import { callApi, newPost, type Person } from '#tests/support/e2e-people.ts';
import { fillPost } from '#tests/support/e2e-screen.ts';

/** The time to undo a deletion. Tests advance the page's clock by it. */
const UNDO_MS = 10_000;

test.describe('posts', () => {
  // The browser logs responses that are not 2xx: those of the sign-in and of the expired session below.
  test.use({ expectedErrors: [/the server responded with a status of 401/] });

  const PASSWORD = 'tumaini la kesho';

  function digits(): string {
    return String(crypto.getRandomValues(new Uint32Array(1))[0])
      .padStart(10, '0')
      .slice(-8);
  }

  async function logIn(page: Page, email: string): Promise<void> {
    // The URL changes first. The previous screen is visible a little longer, and may have the same fields.
    await expect(page.getByRole('heading', { level: 1, name: 'Log in' })).toBeVisible();
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Log in' }).click();
  }

  function cardOf(page: Page, title: string) {
    return page.getByRole('article').filter({ hasText: title });
  }

  /** Checks that no screen is wider than the phone. */
  async function expectNoSidewaysScroll(page: Page): Promise<void> {
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
  }

  test('a new user creates, edits, marks as found and deletes a post', async ({ page }) => {
    const number = digits();
    const email = `mpya${number}@example.com`;
    const title = `Kitambulisho ${number}`;

    await page.goto('/register');
    await page.getByLabel('Username').fill('Asha Mushi');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Phone number (WhatsApp)').fill(`07${number}`);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('Confirm password').fill(PASSWORD);
    await expectNoSidewaysScroll(page);
    await page.getByRole('button', { name: 'Create account' }).click();
    await expect(page.getByText('Your account is ready. You can log in now.')).toBeVisible();
    await expect(page).toHaveURL(/\/login$/);
    await expect(page.getByLabel('Email')).toHaveValue(email);

    await logIn(page, email);
    await expect(page).toHaveURL(/\/$/);

    await page.goto('/create-post');
    await fillPost(page, { title, phone: '0712 345 678' });
    await expect(page.getByLabel('Phone number')).toHaveValue('0712345678');
    await expectNoSidewaysScroll(page);
    await page.getByRole('button', { name: 'Post item' }).click();
    await expect(page.getByText('Post created successfully!').first()).toBeVisible();
    await expect(page).toHaveURL(/\/view-posts$/);
    // Other tests post too, and may have pushed this post off the first page.
    await page.getByRole('textbox', { name: 'Search posts' }).fill(title);
    await expect(cardOf(page, title)).toBeVisible();
    await expectNoSidewaysScroll(page);

    await page.goto('/my-posts');
    await cardOf(page, title).getByRole('link', { name: 'Update' }).click();
    await page.getByLabel('Title').fill(`${title} cha NIDA`);
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(page.getByText('Post updated successfully!').first()).toBeVisible();
    await expect(page).toHaveURL(/\/my-posts$/);
    const card = cardOf(page, `${title} cha NIDA`);
    await expect(card).toBeVisible();
    await expectNoSidewaysScroll(page);

    await card.getByRole('button', { name: 'Mark as returned' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Mark as returned' }).click();
    await expect(page.getByText('Item marked as retrieved successfully')).toBeVisible();
    await expect(card.getByText('Found and returned', { exact: true })).toBeVisible();
    await expect(card.getByRole('button', { name: 'Mark as returned' })).toHaveCount(0);

    await card.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByText('Are you sure you want to delete this post?')).toBeVisible();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog).toHaveCount(0);
    await page.clock.install();
    await card.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByRole('region', { name: 'My Posts' })).toBeFocused();
    await expect(page.getByText("You don't have any post")).toBeVisible();
    await page.clock.fastForward(UNDO_MS);
    await expect(page.getByText('Post deleted successfully!')).toBeVisible();
    await page.reload();
    await expect(page.getByText("You don't have any post")).toBeVisible();
  });

  test('a user scrolls through several pages of posts', async ({ person, openAs }) => {
    const [first, second] = [await person(), await person()];
    const word = `ukurasa${digits()}`;
    for (let count = 0; count < 28; count++)
      await Promise.all([first, second].map((author) => newPost(author, { title: `${word}, ya ${count}` })));
    const page = await openAs(null, `/view-posts?search=${word}`);
    for (const shown of [20, 40, 56]) {
      await expect(page.getByRole('article')).toHaveCount(shown);
      await page.getByRole('article').last().scrollIntoViewIfNeeded();
    }
    await expect(page.getByRole('button', { name: 'Show older posts' })).toHaveCount(0);
  });

  test('Back from a post restores the list with the search that was typed just before the post was opened', async ({
    page,
    person,
  }) => {
    const word = `Mwavuli${digits()}`;
    const { title } = await newPost(await person(), { title: `${word} mweusi` });
    await page.clock.install();
    await page.goto('/view-posts');
    await expect(page.getByRole('link', { name: title })).toBeVisible();
    await expect(page.locator('[data-prerendered]')).toHaveCount(0);
    // Stops the clock, so that the press on the link, and not the pause in typing, writes the search to the URL.
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.getByLabel('Search posts').fill(word);
    await page.getByRole('link', { name: title }).click();
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL(`/view-posts?search=${word}`);
    await expect(page.getByLabel('Search posts')).toHaveValue(word);
  });

  test('Arabic text in a post reads from right to left on every screen', async ({ person, openAs }) => {
    const author = await person();
    const title = `محفظة سوداء ${digits()}`;
    const { id } = await newPost(author, { title });
    const page = await openAs(author, '/my-posts');
    for (const path of ['/my-posts', `/view-posts?search=${encodeURIComponent(title)}`, `/posts/${id}`]) {
      await page.goto(path);
      const words = page.getByText(title).first();
      await expect(words).toHaveCSS('direction', 'rtl');
      await expect(words).toHaveCSS('text-align', 'start');
      await expect(words).toHaveCSS('display', 'block');
    }
  });
});

test.describe('ended posts', () => {
  function cardOf(page: Page, title: string) {
    return page.getByRole('article').filter({ hasText: title });
  }

  test('an owner closes and reopens a post, and is notified when a finder presses “Nimekiokota” (I found this) and posts the thing', async ({
    person,
    openAs,
  }) => {
    const [owner, finder] = [await person(), await person()];
    const title = `Kitambulisho cha Asha ${crypto.randomUUID().slice(0, 4)}`;
    const { id } = await newPost(owner, { title, posted_by: 'owner', description: '', kind: 'document' });
    const mine = await openAs(owner, '/my-posts', { language: 'sw' });
    await expect(cardOf(mine, title).getByRole('link', { name: /LORMIS/ })).toBeVisible();

    await cardOf(mine, title).getByRole('button', { name: 'Funga tangazo' }).click();
    await mine.getByRole('dialog').getByRole('button', { name: 'Sikitafuti tena' }).click();
    await expect(cardOf(mine, title).getByText('Limefungwa', { exact: true })).toBeVisible();
    const stranger = await openAs(null, '/view-posts', { language: 'sw' });
    await expect(stranger.getByRole('article').first()).toBeVisible();
    await expect(cardOf(stranger, title)).toHaveCount(0);
    await mine.reload();
    await cardOf(mine, title).getByRole('button', { name: 'Lifungue tena' }).click();
    await expect(cardOf(mine, title).getByText('Limefungwa', { exact: true })).toHaveCount(0);
    await expect(cardOf(mine, title).getByRole('button', { name: 'Nimekipata tena' })).toBeVisible();

    const found = await openAs(finder, `/posts/${id}`, { language: 'sw' });
    await found.getByRole('link', { name: 'Nimekiokota' }).click();
    await expect(found.getByText(title)).toBeVisible();
    await found.getByLabel('Kichwa cha tangazo').fill('Kitambulisho');
    await found.getByLabel('Mahali').fill('Stendi ya Mbezi');
    await found.getByRole('button', { name: 'Tangaza', exact: true }).click();
    const modal = mine.getByRole('dialog', { name: 'Tangazo Linalofanana Limepatikana!' });
    await expect(modal).toContainText('Aliyekiokota anasema ni kitu cha tangazo hili.');
    await expect(modal).toContainText('Stendi ya Mbezi');
  });
});

test.describe('undoing an action on a post', () => {
  test.use({ serviceWorkers: 'allow' });

  function cardOf(page: Page, title: string) {
    return page.getByRole('article').filter({ hasText: title });
  }

  async function ownPosts({ token }: Person): Promise<Pick<Post, 'title' | 'is_found'>[]> {
    const posts = await callApi<PostEntry[]>('GET', '/api/posts/by-owner', { token });
    return posts.map(({ Post: { title, is_found } }) => ({ title, is_found }));
  }

  async function markFound(page: Page, title: string): Promise<void> {
    await cardOf(page, title).getByRole('button', { name: 'Mark as found' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Mark as found' }).click();
    await expect(cardOf(page, title).getByText('You can undo this for 10 more minutes.')).toBeVisible();
  }

  async function deletePost(page: Page, title: string): Promise<void> {
    await cardOf(page, title).getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByText(`“${title}” has been deleted.`)).toBeVisible();
    await expect(cardOf(page, title)).toHaveCount(0);
  }

  test('Back cancels “Mark as found”, and the author can undo a confirmed “Mark as found” after a reload or in a second tab', async ({
    person,
    openAs,
  }) => {
    const author = await person();
    // The post must have no match, because the modal about a match would cover the page. So the post is about glasses
    // in Tunduma, which no other test posts.
    const { id } = await newPost(author, { title: 'Miwani', posted_by: 'owner', description: '', location: 'Tunduma' });
    const page = await openAs(author, '/my-posts');
    await cardOf(page, 'Miwani').getByRole('button', { name: 'Mark as found' }).click();
    await expect(page.getByRole('dialog', { name: 'Mark as found' })).toContainText('Do you have it back?');
    await expect(page).toHaveURL(`/my-posts?retrieved=${id}`);
    await page.goBack();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page).toHaveURL('/my-posts');
    await page.goForward();
    await expect(page.getByRole('dialog')).toBeVisible();
    await page.reload();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await expect(page).toHaveURL('/my-posts');
    expect(await ownPosts(author)).toEqual([{ title: 'Miwani', is_found: false }]);

    await markFound(page, 'Miwani');
    await expect(page).toHaveURL('/my-posts');
    expect(await ownPosts(author)).toEqual([{ title: 'Miwani', is_found: true }]);
    await page.reload();
    await cardOf(page, 'Miwani').getByRole('button', { name: 'Undo' }).click();
    await expect(cardOf(page, 'Miwani').getByRole('button', { name: 'Mark as found' })).toBeVisible();
    expect(await ownPosts(author)).toEqual([{ title: 'Miwani', is_found: false }]);

    const otherTab = await page.context().newPage();
    await otherTab.goto('/my-posts');
    await markFound(page, 'Miwani');
    await otherTab.reload();
    await cardOf(otherTab, 'Miwani').getByRole('button', { name: 'Undo' }).click();
    await expect(otherTab.getByText('Your post is open again.')).toBeVisible();
    await page.reload();
    await expect(cardOf(page, 'Miwani').getByRole('button', { name: 'Mark as found' })).toBeVisible();
    expect(await ownPosts(author)).toEqual([{ title: 'Miwani', is_found: false }]);
  });

  test('if the user deletes two posts and undoes one deletion, only the other post is deleted, after ten seconds', async ({
    person,
    openAs,
  }) => {
    const author = await person();
    for (const title of ['Pochi', 'Mwavuli']) await newPost(author, { title });
    const page = await openAs(author, '/my-posts');
    const sent: string[] = [];
    page.on('request', (request) => request.method() === 'DELETE' && sent.push(request.url()));
    await page.clock.install();
    await deletePost(page, 'Pochi');
    await deletePost(page, 'Mwavuli');
    await page.getByRole('button', { name: 'Undo' }).first().click();
    await expect(cardOf(page, 'Pochi')).toBeVisible();
    expect(sent).toEqual([]);
    expect(await ownPosts(author)).toHaveLength(2);
    await page.clock.fastForward(UNDO_MS);
    await expect(page.getByText('Post deleted successfully!')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0);
    expect(await ownPosts(author)).toEqual([{ title: 'Pochi', is_found: false }]);
  });

  test('a deletion that the user has not undone is sent to the server when the user leaves or reloads the page', async ({
    person,
    openAs,
  }) => {
    const author = await person();
    for (const title of ['Pochi', 'Mwavuli']) await newPost(author, { title });
    const page = await openAs(author, '/my-posts');
    // Waits until a service worker controls the page. The service worker must not lose a request that the page sends
    // while the page unloads.
    await waitUntilKept(page);
    await deletePost(page, 'Pochi');
    await page.reload();
    // The deletion is sent before the ten seconds to undo are over.
    await expect.poll(async () => (await ownPosts(author)).length, { timeout: 8_000 }).toBe(1);
    await deletePost(page, 'Mwavuli');
    await page.goto('about:blank');
    await expect.poll(async () => (await ownPosts(author)).length, { timeout: 8_000 }).toBe(0);
  });
});
