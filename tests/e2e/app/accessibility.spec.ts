import type { Page } from '@playwright/test';
import type { Claim } from '#contract/claims.ts';
import type { NoticeList } from '#contract/notices.ts';
import { expect, newAdmin, newCommunity, newPerson, test } from '#tests/support/e2e-fixtures.ts';
import { callApi, newClaim, newFoundWallet, newOwnerName, newPost, type Person } from '#tests/support/e2e-people.ts';
import { findViolations } from '#tests/support/e2e-screen.ts';

const PHONE = { width: 360, height: 800 };

test('a visitor’s screens have no axe violations and reflow on small windows', async ({ openAs }) => {
  const { id } = await newPost(await newPerson(), { title: 'Mkoba mweusi wenye vitabu vya shule' });
  const page = await openAs(null, '/', { language: 'sw' });
  await checkScreens(page, [
    '/',
    '/login',
    '/register',
    '/forgot-password',
    '/verify-code',
    '/view-posts',
    '/communities',
    '/privacy',
    '/terms',
    '/hakuna',
    '/confirm-email',
    `/posts/${id}/contact`,
  ]);
  // On a wide screen the navigation bar shows its links in a row instead of in a menu.
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto('/');
  await waitUntilShown(page);
  expect(await findViolations(page), '1280 px').toEqual([]);
});

test('a signed-in user’s screens have no axe violations and reflow on small windows', async ({ person, openAs }) => {
  const me = await person();
  const { id } = await newPost(me, { title: 'Mkoba mweusi wenye vitabu vya shule' });
  const { id: others } = await newPost(await person());
  const page = await openAs(me, '/', { language: 'sw' });
  const scripts: string[] = [];
  page.on('request', (request) => scripts.push(request.url()));
  await checkScreens(page, [
    '/view-posts',
    `/posts/${id}`,
    `/posts/${others}/contact`,
    '/my-posts',
    '/create-post',
    '/notices',
    '/prove-number',
    '/account',
    // A user who is not an admin gets "Page not found", and loads none of the admin code.
    '/admin',
  ]);
  expect(scripts.filter((url) => url.includes('admin-screen'))).toEqual([]);
});

test('the screens of communities have no axe violations and reflow on small windows', async ({ person, openAs }) => {
  const me = await person();
  const { id } = await newCommunity(me, 'Shule ya Msingi Mwenge');
  await checkScreens(await openAs(me, '/', { language: 'sw' }), [
    '/communities',
    '/communities/find',
    `/communities/${id}`,
    `/community-details/${id}`,
    `/community-details/${id}?tab=members`,
    `/community-details/${id}?tab=settings`,
  ]);
});

test('the screens of claims have no axe violations and reflow on small windows', async ({ person, openAs }) => {
  const me = await person();
  const page = await openAs(me, '/', { language: 'sw' });
  await checkScreens(page, ['/claims', `/posts/${(await newFoundWallet(await person())).id}/claim`]);
  const claim = await newOwnClaim(me);
  await checkScreens(page, ['/claims', `/claims/${claim.id}`]);
  await callApi('POST', `/api/claims/${claim.id}/accept`, { token: me.token });
  await checkScreens(page, [`/claims/${claim.id}`]);
});

test('all tabs of the administration have no axe violations and reflow on small windows', async ({ openAs }) => {
  const admin = await newAdmin();
  await newCommunity(admin, 'Soko la Kilombero');
  const page = await openAs(admin, '/admin', { language: 'sw' });
  const bar = page.getByRole('tablist').first();
  const groups = bar.getByRole('tab');
  await expect(groups).toHaveCount(5);
  // All tabs fit in one row, also on a phone.
  expect((await bar.boundingBox())?.height).toBeLessThan(60);
  for (const group of await groups.all()) {
    await group.click();
    await expect(group).toHaveAttribute('aria-selected', 'true');
    const parts = page.getByRole('tabpanel').first().getByRole('tab');
    for (const tab of [group, ...(await parts.all()).slice(1)]) {
      await tab.click();
      await checkScreen(page, (await tab.textContent()) ?? '');
    }
  }
});

/** Creates a claim on a post of the finder, and marks the finder's notice of the claim as read. */
async function newOwnClaim(finder: Person): Promise<Claim> {
  const post = await newPost(finder, { title: 'Mkoba mweusi wenye vitabu vya shule' });
  const claim = await newClaim(await newPerson(), post);
  await expect.poll(() => readNotices(finder)).toBeGreaterThan(0);
  return claim;
}

async function readNotices({ token }: Person): Promise<number> {
  const { notices } = await callApi<NoticeList>('GET', '/api/notices', { token });
  const ids = notices.map(({ message }) => message.id);
  await callApi('POST', '/api/notices/read', { body: { ids }, token });
  return ids.length;
}

/** Waits for the screen's own content instead of its skeleton. */
async function waitUntilShown(page: Page): Promise<void> {
  await expect(page.locator('[data-prerendered]')).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
  await expect(page.locator('.skeleton')).toHaveCount(0);
}

/** Checks the screens in Swahili, because Swahili texts are longer than English ones. */
async function checkScreens(page: Page, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await page.goto(path);
    await checkScreen(page, path);
    // The texts are lengthened last, because the app fails once its text nodes have been changed.
    await lengthenTexts(page);
    expect.soft(await findClipped(page), `${path}, longer texts`).toEqual([]);
    expect.soft(await findWhatSticksOut(page), `${path}, longer texts`).toEqual([]);
  }
}

async function checkScreen(page: Page, name: string): Promise<void> {
  await expect(page.locator('html')).toHaveAttribute('lang', 'sw');
  await waitUntilShown(page);
  expect.soft(await findViolations(page), name).toEqual([]);
  // A zoom of 200 % leaves 640 px of a window of 1280 px.
  for (const width of [320, 640, 1280]) {
    await page.setViewportSize({ width, height: 512 });
    expect.soft(await findWhatSticksOut(page), `${name}, ${width} px`).toEqual([]);
  }
  await page.setViewportSize(PHONE);
}

/** Makes every text 40 % longer, as a translation into another language may be. */
async function lengthenTexts(page: Page): Promise<void> {
  await page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.nodeValue ?? '';
      const padding = ' ñandu'.repeat(Math.ceil((text.trim().length * 0.4) / 6));
      if (text.trim() !== '') node.nodeValue = text + padding;
    }
  });
}

/** Returns the texts that are cut off, except those limited to a number of lines. */
function findClipped(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('body *')]
      .filter((element) => {
        const { overflowX, webkitLineClamp, position } = getComputedStyle(element);
        const isHidden = position === 'absolute' && element.clientWidth <= 1;
        const isCut = overflowX !== 'visible' && overflowX !== 'auto' && element.scrollWidth > element.clientWidth + 1;
        return isCut && !isHidden && webkitLineClamp === 'none' && !(element instanceof HTMLInputElement);
      })
      .map((element) => `${element.tagName}.${element.className} "${element.textContent.slice(0, 40)}"`),
  );
}

/** Returns the elements, except tables, that scroll sideways or make the page scroll sideways (WCAG 1.4.10). */
function findWhatSticksOut(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    const isWide = document.documentElement.scrollWidth > width;
    return [...document.body.querySelectorAll('*')]
      .filter((element) => {
        const scrolls = /auto|scroll/.test(getComputedStyle(element).overflowX);
        const isWiderInside = element.scrollWidth > element.clientWidth + 1 && !element.querySelector('table');
        return (isWide && element.getBoundingClientRect().right > width + 1) || (scrolls && isWiderInside);
      })
      .map((element) => `${element.tagName}.${element.className} "${element.textContent.slice(0, 40)}"`);
  });
}

/** Opens the dialog with its button, checks it in both themes, and closes it. */
async function checkDialog(page: Page, opener: string): Promise<void> {
  // Presses the last button of that name: the form beside the list of communities has another one.
  await page.getByRole('button', { name: opener, exact: true }).last().click();
  await expect(page.getByRole('dialog')).toBeVisible();
  expect.soft(await findViolations(page), opener).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

test('dialogs have no axe violations in the light and the dark theme', async ({ person, openAs }) => {
  const [owner, finder] = [await person(), await person()];
  const name = newOwnerName();
  await newPost(owner, { ...name, title: 'Nimepoteza pasipoti', posted_by: 'owner', description: '' });
  const { id } = await newCommunity(owner, 'Soko la Kilombero');
  const page = await openAs(owner, '/my-posts', { language: 'sw' });
  await checkDialog(page, 'Futa');
  await checkDialog(page, 'Nimekipata tena');
  await page.goto('/communities');
  await checkDialog(page, 'Anzisha jumuiya');
  await checkDialog(page, 'Skani msimbo wa QR');
  await page.goto(`/community-details/${id}`);
  await checkDialog(page, 'Tengeneza QR');

  await newPost(finder, { ...name, title: 'Passport found', posted_by: 'finder', description: '' });
  await expect(page.getByRole('dialog', { name: 'Tangazo Linalofanana Limepatikana!' })).toBeVisible();
  expect(await findViolations(page), 'a notice of a match').toEqual([]);
});
