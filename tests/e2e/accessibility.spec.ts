import type { Page } from '@playwright/test';
import type { Claim } from '#contract/claims.ts';
import type { CreatedCommunity } from '#contract/communities.ts';
import { LANGUAGES } from '#contract/language.ts';
import type { NoticeList } from '#contract/notices.ts';
import { newClaim, newFoundWallet } from '#tests/support/e2e-claims.ts';
import { expect, test } from '#tests/support/e2e-fixtures.ts';
import { callApi, newPerson, newPost, type Person } from '#tests/support/e2e-people.ts';
import { findViolations } from '#tests/support/find-violations.ts';
import { grantAdmin } from '#tests/support/grant-admin.ts';

/** Every screen, for a visitor or for somebody signed in. */
const SCREENS = [
  { name: 'home', path: '/' },
  { name: 'login', path: '/login' },
  { name: 'register', path: '/register' },
  { name: 'forgot password', path: '/forgot-password' },
  { name: 'verify code', path: '/verify-code' },
  { name: 'view posts, for a visitor', path: '/view-posts' },
  { name: 'communities, for a visitor', path: '/communities' },
  { name: 'privacy', path: '/privacy' },
  { name: 'terms', path: '/terms' },
  { name: 'not found', path: '/hakuna' },
  { name: 'view posts', isSignedIn: true, path: '/view-posts' },
  { name: 'one post', isSignedIn: true, path: ({ postId }: World) => `/posts/${postId}` },
  {
    name: 'contact poster',
    isSignedIn: true,
    path: async () => `/posts/${(await newPost(await newPerson())).id}/contact`,
  },
  { name: 'contact poster, for a visitor', path: ({ postId }: World) => `/posts/${postId}/contact` },
  { name: 'my posts', isSignedIn: true, path: '/my-posts' },
  { name: 'create post', isSignedIn: true, path: '/create-post' },
  { name: 'communities', isSignedIn: true, path: '/communities' },
  {
    name: 'community details',
    isSignedIn: true,
    path: ({ communityId }: World) => `/community-details/${communityId}`,
  },
  {
    name: 'members of a community',
    isSignedIn: true,
    path: ({ communityId }: World) => `/community-details/${communityId}?tab=members`,
  },
  {
    name: 'settings of a community',
    isSignedIn: true,
    path: ({ communityId }: World) => `/community-details/${communityId}?tab=settings`,
  },
  {
    name: 'a community, to its members',
    isSignedIn: true,
    path: ({ communityId }: World) => `/communities/${communityId}`,
  },
  { name: 'find a community', isSignedIn: true, path: '/communities/find' },
  { name: 'notices', isSignedIn: true, path: '/notices' },
  { name: 'claims, of none', isSignedIn: true, path: '/claims' },
  {
    name: 'this is mine',
    isSignedIn: true,
    path: async () => `/posts/${(await newFoundWallet(await newPerson())).id}/claim`,
  },
  { name: 'claims', isSignedIn: true, path: async (world: World) => (await newOwnClaim(world)) && '/claims' },
  {
    name: 'a claim, to its finder',
    isSignedIn: true,
    path: async (world: World) => `/claims/${(await newOwnClaim(world)).id}`,
  },
  {
    name: 'an accepted claim, to its finder',
    isSignedIn: true,
    path: async (world: World) => {
      const { id } = await newOwnClaim(world);
      await callApi('POST', `/api/claims/${id}/accept`, { token: world.person.token });
      return `/claims/${id}`;
    },
  },
  { name: 'prove-number', isSignedIn: true, path: '/prove-number' },
  { name: 'account', isSignedIn: true, path: '/account' },
  { name: 'confirm email, without a link', path: '/confirm-email' },
  { name: 'admin', isSignedIn: true, isAdmin: true, path: '/admin' },
  { name: 'passkeys', isSignedIn: true, isAdmin: true, path: '/admin?tab=passkeys' },
  { name: 'admin, for somebody who is none', isSignedIn: true, path: '/admin' },
];

type World = { person: Person; postId: string; communityId: string };

/** Somebody with a post and a community, so that no screen is empty. */
async function makeWorld(person: Person, isAdmin: boolean): Promise<World> {
  if (isAdmin) await grantAdmin(person);
  const { id: postId } = await newPost(person, { title: 'Mkoba mweusi wenye vitabu vya shule' });
  const community = await callApi<CreatedCommunity>('POST', '/api/communities', {
    body: { name: 'Shule ya Msingi Mwenge', description: 'Wanafunzi, walimu na wazazi' },
    token: person.token,
  });
  return { person, postId, communityId: community.id };
}

/** Somebody says that what the person found is theirs; the person has read the notice of it. */
async function newOwnClaim({ person, postId }: World): Promise<Claim> {
  const claim = await newClaim(await newPerson(), { id: postId });
  await expect.poll(() => readNotices(person)).toBeGreaterThan(0);
  return claim;
}

async function readNotices({ token }: Person): Promise<number> {
  const { notices } = await callApi<NoticeList>('GET', '/api/notices', { token });
  const ids = notices.map(({ message }) => message.id);
  await callApi('POST', '/api/notices/read', { body: { ids }, token });
  return ids.length;
}

/** The screen's own content is there, not its skeleton. */
async function waitUntilShown(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
  await expect(page.locator('[data-prerendered]')).toHaveCount(0);
  await expect(page.locator('.skeleton')).toHaveCount(0);
}

/** What axe looks for lies in the words of a language or in the width of a screen, hardly in both at once. */
const SIZES = { sw: { width: 360, height: 800 }, en: { width: 1280, height: 800 } };

for (const { name, path, isSignedIn = false, isAdmin = false } of SCREENS) {
  test(`the screen "${name}": axe finds nothing, and it reflows at 320 px, at 200 % zoom and with longer texts`, async ({
    person,
    openAs,
  }) => {
    // Five widths, two languages and two themes of one screen.
    test.slow();
    const world = await makeWorld(await person(), isAdmin);
    const address = typeof path === 'string' ? path : await path(world);
    for (const language of LANGUAGES) {
      const page = await openAs(isSignedIn ? world.person : null, address, { language });
      await page.setViewportSize(SIZES[language]);
      await expect(page.locator('html')).toHaveAttribute('lang', language);
      await waitUntilShown(page);
      expect(await findViolations(page), language).toEqual([]);
      // 640 px is what a zoom of 200 % leaves of a window of 1280.
      for (const width of [320, 640]) {
        await page.setViewportSize({ width, height: 512 });
        await waitUntilShown(page);
        expect(await findWhatSticksOut(page), `${language}, ${width} px`).toEqual([]);
      }
      await page.setViewportSize({ width: 360, height: 800 });
      await lengthenTexts(page);
      expect(await findClipped(page), `${language}, longer texts`).toEqual([]);
      expect(await findWhatSticksOut(page), `${language}, longer texts`).toEqual([]);
    }
  });
}

/** Makes every text 40 % longer, as another language may. */
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

/** Texts that their box cuts off; what is meant to be cut after so many lines is not among them. */
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

/** What makes the page scroll sideways, or scrolls sideways itself. */
function findWhatSticksOut(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    const isWide = document.documentElement.scrollWidth > width;
    return [...document.body.querySelectorAll('*')]
      .filter((element) => {
        const scrolls = /auto|scroll/.test(getComputedStyle(element).overflowX);
        const isWiderInside = element.scrollWidth > element.clientWidth + 1;
        return (isWide && element.getBoundingClientRect().right > width + 1) || (scrolls && isWiderInside);
      })
      .map((element) => `${element.tagName}.${element.className} "${element.textContent.slice(0, 40)}"`);
  });
}

test('the focus follows a change of screen, and the title says which it is', async ({ page }) => {
  await page.goto('/');
  await expect(page.locator('[data-prerendered]')).toHaveCount(0);
  await page.getByRole('link', { name: 'Search Lost Items' }).click();
  await expect(page).toHaveURL(/\/view-posts$/);
  await expect(page.locator('main')).toBeFocused();
  await expect(page).not.toHaveTitle(/Lost and found in Tanzania/);
});
