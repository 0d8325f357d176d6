import type { Language } from '#contract/language.ts';
import { expect, test } from '#tests/support/e2e-fixtures.ts';
import { holdScripts } from '#tests/support/e2e-late-app.ts';
import { newPost } from '#tests/support/e2e-people.ts';

/** What each page says before any of its scripts is here. */
const HEADLINES: Record<string, Record<Language, string>> = {
  '/': { en: 'Welcome to Patikana', sw: 'Karibu Patikana' },
  '/view-posts': { en: 'Discover lost items', sw: 'Tafuta vitu vilivyopotea' },
  '/login': { en: 'Log in', sw: 'Ingia' },
  '/register': { en: 'Create an account', sw: 'Fungua akaunti' },
  '/forgot-password': { en: 'Forgot your password?', sw: 'Umesahau nenosiri?' },
  '/communities': { en: 'Communities', sw: 'Jumuiya' },
};

type Seen = { shift: number; headlines: string[] };

/** Adds up how far what is on the screen moves, and collects the headlines that show in any frame. */
function watchScreen(): void {
  const seen: Seen = { shift: 0, headlines: [] };
  Object.assign(window, { seen });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) seen.shift += (entry as PerformanceEntry & { value: number }).value;
  }).observe({ type: 'layout-shift', buffered: true });
  const look = () => {
    for (const heading of document.querySelectorAll('h1')) {
      const isNew = heading.checkVisibility() && !seen.headlines.includes(heading.textContent);
      if (isNew) seen.headlines.push(heading.textContent);
    }
    requestAnimationFrame(look);
  };
  look();
}

for (const language of ['en', 'sw'] as const) {
  test.describe(`for a reader of ${language}`, () => {
    test.use({ locale: language });

    for (const [path, headlines] of Object.entries(HEADLINES)) {
      test(`${path} paints its text from the HTML alone, and nothing moves when the app takes over`, async ({
        page,
      }) => {
        await page.addInitScript(watchScreen);
        const letScriptsCome = await holdScripts(page);
        await page.goto(path, { waitUntil: 'commit' });
        const headline = page.locator('[data-prerendered] h1:visible');
        await expect(headline).toContainText(headlines[language]);
        await expect(headline).toHaveCSS('font-weight', '800');
        await expect(page.locator('html')).toHaveAttribute('lang', language);
        const title = await page.title();
        expect(title).toMatch(/. · Patikana$/);

        await letScriptsCome();
        await expect(page.locator('#root h1:visible')).toContainText(headlines[language]);
        await expect(page).toHaveTitle(title);
        const seen = await page.evaluate(() => (window as unknown as { seen: Seen }).seen);
        expect(seen.shift).toBe(0);
        expect(seen.headlines).toHaveLength(1);
      });
    }
  });
}

test('what was typed before the app came, and where, is still there when it has', async ({ page }) => {
  const letScriptsCome = await holdScripts(page);
  await page.goto('/login', { waitUntil: 'commit' });
  await page.getByLabel('Email').fill('neema@example.com');
  await page.getByLabel('Password', { exact: true }).pressSequentially('embe-');
  await letScriptsCome();
  await expect(page.getByLabel('Email')).toHaveValue('neema@example.com');
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
  await page.keyboard.type('dodo');
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('embe-dodo');
  expect(page.url()).not.toContain('?');
});

test('a form that was sent before the app came is sent when it has', async ({ page }) => {
  const letScriptsCome = await holdScripts(page);
  await page.goto('/login', { waitUntil: 'commit' });
  await page.getByLabel('Email').fill('neema@example.com');
  await page.getByLabel('Email').press('Enter');
  expect(new URL(page.url()).search).toBe('');
  await letScriptsCome();
  await expect(page.getByText('Email and password are required.')).toBeVisible();
});

test('a press that the app comes in the middle of counts', async ({ page }) => {
  const letScriptsCome = await holdScripts(page);
  await page.goto('/login', { waitUntil: 'commit' });
  await page.getByRole('button', { name: 'Log in' }).hover();
  await page.mouse.down();
  await letScriptsCome();
  await page.mouse.up();
  await expect(page.getByText('Email and password are required.')).toBeVisible();
});

test('the menu that was touched before the app came opens when it has', async ({ page, isMobile }) => {
  test.skip(!isMobile, 'a desk has no menu button');
  const letScriptsCome = await holdScripts(page);
  await page.goto('/', { waitUntil: 'commit' });
  await page.getByRole('button', { name: 'Open menu' }).click();
  await letScriptsCome();
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
});

/** Everything that the service worker has kept. */
function readCaches(): Promise<string[]> {
  const readAll = async (name: string) => {
    const cache = await caches.open(name);
    const kept = await Promise.all((await cache.keys()).map((request) => cache.match(request)));
    return Promise.all(kept.map((response) => response?.text() ?? ''));
  };
  return caches.keys().then(async (names) => (await Promise.all(names.map(readAll))).flat());
}

test.describe('a visitor’s first minute in the list', () => {
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of a fixture's needs from the pattern.
  test.use({ expectedErrors: async ({}, use) => use([/ERR_INTERNET_DISCONNECTED/]) });

  test('the first posts are in the page: read before any script, taken over where they stand, asked for and kept by nobody', async ({
    page,
    context,
    person,
  }) => {
    const { title } = await newPost(await person(), { title: `Mwavuli wa ${crypto.randomUUID().slice(0, 4)}` });
    const asked: string[] = [];
    page.on('request', (request) => {
      if (new URL(request.url()).pathname === '/api/posts') asked.push(request.url());
    });
    await page.addInitScript(watchScreen);
    const letScriptsCome = await holdScripts(page);
    // In one piece: its first part may end within the navigation, which then moves as the rest comes.
    await page.route('**/view-posts', async (route) => route.fulfill({ response: await route.fetch() }), { times: 1 });
    await page.goto('/view-posts', { waitUntil: 'commit' });
    await expect(page.locator('[data-prerendered] article:visible', { hasText: title })).toBeVisible();
    await letScriptsCome();
    const card = page.locator('#root article', { hasText: title });
    await expect(card).toBeVisible();
    expect((await page.evaluate(() => (window as unknown as { seen: Seen }).seen)).shift).toBe(0);
    expect(asked).toEqual([]);
    await expect.poll(() => page.evaluate(() => localStorage.getItem('seenPosts:visitor'))).toContain(title);

    await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
    const kept = await page.evaluate(readCaches);
    expect(kept.some((text) => text.includes('data-prerendered'))).toBe(true);
    expect(kept.filter((text) => text.includes(title))).toEqual([]);

    // From here on the page is the bare shell of the service worker, whose posts the app asks for.
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

test.describe('over a network that loses the app on its way', () => {
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of a fixture's needs from the pattern.
  test.use({ expectedErrors: async ({}, use) => use([/Failed to load resource/]) });

  test('the page is loaded once more, and no more than that', async ({ page }) => {
    let loads = 0;
    page.on('request', (request) => {
      if (request.isNavigationRequest()) loads++;
    });
    // A module that could not be preloaded is asked for again by the script that wants it.
    await page.route('**/assets/app-*.js', (route) => (loads < 2 ? route.abort() : route.continue()));
    await page.goto('/login', { waitUntil: 'commit' });
    await expect.poll(() => loads).toBe(2);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Log in');
    await expect(page.locator('[data-prerendered]')).toHaveCount(0);
    expect(loads).toBe(2);
  });
});
