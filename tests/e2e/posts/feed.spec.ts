import type { Locator, Page } from '@playwright/test';
import type { PostEntry } from '#contract/posts.ts';
import { expect, test } from '#tests/support/e2e-fixtures.ts';
import { holdScripts } from '#tests/support/e2e-offline.ts';
import { callApi, newOwnerName, newPost } from '#tests/support/e2e-people.ts';
import { findViolations, press, readSeen, tabTo, watch } from '#tests/support/e2e-screen.ts';

test.describe('the list of posts on a phone', () => {
  const WORDS = {
    filters: 'Vichujio',
    kind: 'Aina ya kitu',
    keys: 'Funguo',
    place: 'Mahali',
    lost: 'Kimepotea',
    clear: 'Ondoa vyote',
    onlyOpen: 'Yaliyo wazi tu',
    noItems: 'Hakuna kitu kilichopatikana. Jaribu kutafuta kwa njia nyingine.',
    now: 'Sasa kiko: Ofisi ya kata, Mwenge',
  } as const;

  /** Checks that a control is large enough for a thumb, and not wider than the phone. */
  async function expectLarge(target: Locator): Promise<void> {
    const box = await target.boundingBox();
    expect(box?.height).toBeGreaterThanOrEqual(44);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(360);
  }

  const titles = (page: Page) => page.getByRole('article').getByRole('heading', { level: 2 }).allTextContents();

  test('the filters of the list of posts are part of its URL, are undone by the Back button, and can be cleared', async ({
    person,
    openAs,
  }) => {
    const author = await person();
    const word = `Kichujio${crypto.randomUUID().slice(0, 6)}`;
    const post = (title: string, more: object) => newPost(author, { title: `${word} ${title}`, ...more });
    await post('funguo', { kind: 'key', location: 'Mwenge', kept_at: 'Ofisi ya kata, Mwenge' });
    await post('begi', { kind: 'bag', posted_by: 'owner', location: 'Posta' });
    const { id } = await post('pete', { kind: 'wear', location: 'Posta' });
    await callApi('PATCH', `/api/posts/${id}/found`, { token: author.token });

    const page = await openAs(null, `/view-posts?search=${word}`, { language: 'sw' });
    await expect.poll(() => titles(page)).toEqual([`${word} pete`, `${word} begi`, `${word} funguo`]);
    await expect(page.getByText(WORDS.now)).toBeVisible();
    const onlyOpen = page.getByRole('switch', { name: WORDS.onlyOpen });
    await expectLarge(onlyOpen);
    await onlyOpen.click();
    await expect.poll(() => titles(page)).toEqual([`${word} begi`, `${word} funguo`]);
    await expect(onlyOpen).toBeChecked();

    const button = page.getByRole('button', { name: WORDS.filters, exact: true });
    await expectLarge(button);
    await button.click();
    const kind = page.getByRole('combobox', { name: WORDS.kind });
    for (const target of [kind, page.getByRole('radio', { name: WORDS.lost }).locator('..')]) await expectLarge(target);
    expect(await findViolations(page)).toEqual([]);

    await kind.selectOption(WORDS.keys);
    await expect.poll(() => titles(page)).toEqual([`${word} funguo`]);
    const shared = await openAs(null, page.url(), { language: 'sw' });
    await expect.poll(() => titles(shared)).toEqual([`${word} funguo`]);
    await expect(shared.getByRole('button', { name: `${WORDS.filters} (1)` })).toBeVisible();

    await page
      .getByRole('article')
      .getByRole('link', { name: `${word} funguo` })
      .click();
    await expect(page.getByRole('heading', { level: 1, name: `${word} funguo` })).toBeVisible();
    await page.goBack();
    await expect.poll(() => titles(page)).toEqual([`${word} funguo`]);
    await page.goBack();
    await expect.poll(() => titles(page)).toHaveLength(2);
    await page.goBack();
    await expect.poll(() => titles(page)).toHaveLength(3);
    await expect(onlyOpen).not.toBeChecked();

    await page.getByRole('button', { name: WORDS.filters, exact: true }).click();
    await page.getByRole('textbox', { name: WORDS.place }).fill('Mwanjelwa');
    await expect(page.getByText(WORDS.noItems)).toBeVisible();
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole('button', { name: WORDS.clear }).click();
    await expect(page).toHaveURL(`/view-posts?search=${word}`);
    await expect.poll(() => titles(page)).toHaveLength(3);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
  });

  test('on the card of a post, Escape closes the panel of the button “More” and returns the focus to the button', async ({
    person,
    openAs,
  }) => {
    const [author, reader] = [await person(), await person()];
    const { title } = await newPost(author, { title: `Begi la ${author.id.slice(0, 8)}` });
    const page = await openAs(reader, `/view-posts?search=${encodeURIComponent(title)}`);
    const more = page.getByRole('button', { name: `More: ${title}` });
    await expectLarge(more);
    await press(page, more);
    await tabTo(page, page.getByRole('button', { name: 'Report this post' }));
    const block = page.getByRole('button', { name: 'Block this person' });
    await tabTo(page, block);
    await expectLarge(block);
    expect(await findViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect(more).toBeFocused();
    await expect(block).toHaveCount(0);
  });

  test('an English search finds a Swahili post, but with “Only these exact words” finds none and links to the form for a lost thing', async ({
    person,
    openAs,
  }) => {
    const [finder, owner] = [await person(), await person()];
    // The word has letters only, because a word with digits counts as an identifier. It begins like no known word,
    // because a search corrects misspelt words.
    const word = `xq${newOwnerName().owner_first_name}`;
    const { title } = await newPost(finder, { title: `Simu ${word}` });
    const search = `phone ${word}`;
    const address = `/view-posts?${new URLSearchParams({ search })}`;
    // A search by meaning finds a post only after the Worker has read the post's meaning.
    const found = () =>
      callApi<PostEntry[]>('GET', `/api/posts?${new URLSearchParams({ search })}`, { token: finder.token });
    await expect.poll(async () => (await found())[0]?.found_by).toBe('meaning');

    const page = await openAs(owner, '/view-posts');
    await page.getByRole('textbox', { name: 'Search posts' }).fill(search);
    await expect(page.getByRole('heading', { level: 2, name: 'The same in other words' })).toBeVisible();
    const card = page.getByRole('article').filter({ hasText: title });
    await expect(card.getByText('simu = phone')).toBeVisible();
    await expect(page.getByText(/^0 with these words, 1 in other words, \d+ close to it$/)).toBeAttached();
    await expectLarge(page.getByRole('link', { name: 'Tell me when it turns up' }));
    expect(await findViolations(page)).toEqual([]);

    await page.getByRole('button', { name: 'Filters', exact: true }).click();
    const exact = page.getByRole('switch', { name: 'Only these exact words' });
    await expectLarge(exact);
    await exact.click();
    await expect(page).toHaveURL(`${address}&exact=1`);
    await expect(card).toHaveCount(0);
    await page.reload();
    await expect(page.getByText('No items found. Try adjusting your search criteria.')).toBeVisible();
    await page.getByRole('link', { name: 'Post what you lost' }).click();
    await expect(page.getByRole('radio', { name: 'Yes, I lost it' })).toBeChecked();
    await expect(page.getByLabel('Title')).toHaveValue(search);
  });
});

test.describe('prerendered pages', () => {
  test.use({ serviceWorkers: 'allow' });

  /** Returns everything in the service worker's caches. */
  function readCaches(): Promise<string[]> {
    const readAll = async (name: string) => {
      const cache = await caches.open(name);
      const kept = await Promise.all((await cache.keys()).map((request) => cache.match(request)));
      return Promise.all(kept.map((response) => response?.text() ?? ''));
    };
    return caches.keys().then(async (names) => (await Promise.all(names.map(readAll))).flat());
  }

  test.describe('list of posts', () => {
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from the pattern.
    test.use({ expectedErrors: async ({}, use) => use([/ERR_INTERNET_DISCONNECTED/]) });

    test('the prerendered list shows posts before scripts load, stays in place when the app starts, and needs no request for posts', async ({
      page,
      context,
      person,
    }) => {
      const { title } = await newPost(await person(), { title: `Mwavuli wa ${crypto.randomUUID().slice(0, 4)}` });
      const asked: string[] = [];
      page.on('request', (request) => {
        if (new URL(request.url()).pathname === '/api/posts') asked.push(request.url());
      });
      await watch(page);
      const letScriptsCome = await holdScripts(page);
      // Delivers the HTML in one piece. Otherwise the browser may paint a part of the navigation bar first, and the
      // next piece of the HTML would move that part.
      await page.route('**/view-posts', async (route) => route.fulfill({ response: await route.fetch() }), {
        times: 1,
      });
      await page.goto('/view-posts', { waitUntil: 'commit' });
      await expect(page.locator('[data-prerendered] article:visible', { hasText: title })).toBeVisible();
      await letScriptsCome();
      const card = page.locator('#root article', { hasText: title });
      await expect(card).toBeVisible();
      expect((await readSeen(page)).shift).toBe(0);
      expect(asked).toEqual([]);
      await expect.poll(() => page.evaluate(() => localStorage.getItem('seenPosts:visitor'))).toContain(title);

      await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
      const kept = await page.evaluate(readCaches);
      expect(kept.some((text) => text.includes('data-prerendered'))).toBe(true);
      expect(kept.filter((text) => text.includes(title))).toEqual([]);

      // From here on the page is the service worker's cached shell, and the app requests the posts.
      await page.reload();
      await expect(card).toBeVisible();
      expect(asked).toHaveLength(1);
      await card.getByRole('link', { name: title }).click();
      await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
      await page.goBack();
      await expect(card).toBeVisible();
      await context.setOffline(true);
      await page.reload();
      await expect(card).toBeVisible();
    });
  });

  test.describe('on a faulty network', () => {
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from the pattern.
    test.use({ expectedErrors: async ({}, use) => use([/Failed to load resource/]) });

    test('the page is reloaded exactly once if its script cannot be loaded', async ({ page }) => {
      let loads = 0;
      page.on('request', (request) => {
        if (request.isNavigationRequest()) loads++;
      });
      // Aborts all requests for the script during the first load. One is not enough, because the browser requests a
      // module again if its preload failed.
      await page.route('**/assets/app-*.js', (route) => (loads < 2 ? route.abort() : route.continue()));
      await page.goto('/login', { waitUntil: 'commit' });
      await expect.poll(() => loads).toBe(2);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Log in');
      await expect(page.locator('[data-prerendered]')).toHaveCount(0);
      expect(loads).toBe(2);
    });
  });
});
