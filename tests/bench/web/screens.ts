import type { Browser, BrowserContext, Locator, Page } from '@playwright/test';
import type { Language } from '#contract/language.ts';

export type Theme = 'light' | 'dark';
export type Look = { width: number; height: number; language: Language; theme: Theme };
export type Session = { token: string; userId: string };
export type Screen = {
  name: string;
  path: string;
  isSignedIn?: boolean;
  /** Whether it is the platform's admin who is signed in. */
  isOfAdmin?: boolean;
  act?: (page: Page) => Promise<void>;
};

/** The posts and the community that the screens show: somebody else's post, one with photos, and one of one's own. */
type Subjects = { postId: string; photosPostId: string; ownPostId: string; communityId: string };

/** Every screen, with what must be done to see it whole. */
export function listScreens({ postId, photosPostId, ownPostId, communityId }: Subjects): Screen[] {
  return [
    { name: 'home', path: '/' },
    { name: 'login', path: '/login' },
    { name: 'register', path: '/register' },
    { name: 'forgot-password', path: '/forgot-password' },
    { name: 'view-posts', path: '/view-posts' },
    { name: 'view-posts-empty', path: '/view-posts?search=zzzzzz' },
    { name: 'post', path: `/posts/${postId}`, isSignedIn: true },
    { name: 'photos', path: `/posts/${photosPostId}`, act: seePhotos },
    { name: 'share-page', path: `/p/${postId}` },
    {
      name: 'share-dialog',
      path: `/posts/${postId}`,
      isSignedIn: true,
      async act(page) {
        await pressButton(page, /^(Share|Sambaza)$/);
        await page.getByRole('link', { name: 'WhatsApp' }).last().waitFor();
      },
    },
    {
      name: 'poster',
      path: `/posts/${postId}/poster`,
      act: (page) => page.getByRole('region', { name: /^Preview of the poster$|litakavyochapishwa$/ }).waitFor(),
    },
    { name: 'contact', path: `/posts/${postId}/contact`, isSignedIn: true },
    { name: 'own-post', path: `/posts/${ownPostId}`, isSignedIn: true },
    { name: 'create-post', path: '/create-post', isSignedIn: true },
    { name: 'my-posts', path: '/my-posts', isSignedIn: true },
    {
      name: 'mark-found-dialog',
      path: '/my-posts',
      isSignedIn: true,
      act: (page) => pressButton(page, /^(Mark as (found|returned)|Nimekipata tena|Nimekirudisha)/),
    },
    {
      name: 'delete-dialog',
      path: '/my-posts',
      isSignedIn: true,
      act: (page) => pressButton(page, /^(Delete|Futa)/),
    },
    { name: 'communities', path: '/communities', isSignedIn: true },
    {
      name: 'create-community-dialog',
      path: '/communities',
      isSignedIn: true,
      act: (page) => pressButton(page.getByRole('region').last(), /^(Create a community|Anzisha jumuiya)$/),
    },
    {
      name: 'scanner-dialog',
      path: '/communities',
      isSignedIn: true,
      async act(page) {
        await pressButton(page, /^(Scan QR code|Skani msimbo wa QR)$/);
        await page.waitForFunction(() => (document.querySelector('dialog video') as HTMLVideoElement)?.currentTime > 0);
      },
    },
    { name: 'community-details', path: `/community-details/${communityId}`, isSignedIn: true },
    {
      name: 'qr-dialog',
      path: `/community-details/${communityId}`,
      isSignedIn: true,
      async act(page) {
        await pressButton(page, /^(Generate QR|Tengeneza QR)$/);
        await page.getByRole('dialog').getByRole('img').waitFor();
      },
    },
    { name: 'community', path: `/communities/${communityId}`, isSignedIn: true },
    {
      name: 'community-posts',
      path: `/community-details/${communityId}?tab=posts&kind=other`,
      isSignedIn: true,
      async act(page) {
        await pressButton(page, /^(Filters|Vichujio)/);
        await page.getByRole('switch').waitFor();
      },
    },
    { name: 'community-members', path: `/community-details/${communityId}?tab=members`, isSignedIn: true },
    { name: 'community-settings', path: `/community-details/${communityId}?tab=settings`, isSignedIn: true },
    { name: 'desk', path: `/communities/${communityId}/desk`, isSignedIn: true },
    { name: 'desk-sheet', path: `/communities/${communityId}/desk`, isSignedIn: true, act: printSheet },
    { name: 'notices', path: '/notices', isSignedIn: true },
    { name: 'admin', path: '/admin', isOfAdmin: true },
    { name: 'admin-communities', path: '/admin?tab=approved', isOfAdmin: true },
    { name: 'not-found', path: '/hakuna' },
  ];
}

/** What lies below the fold, and loads when it is looked at. */
async function seePhotos(page: Page): Promise<void> {
  const first = page.getByRole('article').getByRole('img').first();
  await first.scrollIntoViewIfNeeded();
  await first.evaluate((image: HTMLImageElement) => image.decode());
}

/** In CSS's pixels, without the margins that the printer leaves. */
const A4 = { width: 680, height: 1009 };

/** The list as it comes out of the printer. */
async function printSheet(page: Page): Promise<void> {
  await page.evaluate(() => {
    window.print = () => undefined;
  });
  await pressButton(page, /^(Print the list|Chapisha orodha)$/);
  await page.locator('.desk-sheet').waitFor({ state: 'attached' });
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize(A4);
}

function pressButton(where: Page | Locator, name: RegExp): Promise<void> {
  return where.getByRole('button', { name }).first().click();
}

export function openContext(
  browser: Browser,
  origin: string,
  look: Look,
  session: Session | null,
): Promise<BrowserContext> {
  const kept = [
    { name: 'i18nextLng', value: look.language },
    ...(session
      ? [
          { name: 'token', value: session.token },
          { name: 'userID', value: session.userId },
        ]
      : []),
  ];
  return browser.newContext({
    viewport: { width: look.width, height: look.height },
    colorScheme: look.theme,
    // What the Worker's own pages go by.
    locale: look.language,
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
    permissions: ['camera'],
    storageState: { cookies: [], origins: [{ origin, localStorage: kept }] },
  });
}

/** The screen as its reader sees it once it has come to rest. @returns a WebP picture. */
export async function photograph(context: BrowserContext, origin: string, screen: Screen): Promise<Buffer> {
  const page = await context.newPage();
  await page.goto(origin + screen.path, { waitUntil: 'networkidle' });
  await page.locator('h1').first().waitFor();
  await screen.act?.(page);
  const devtools = await context.newCDPSession(page);
  const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: 45 });
  await page.close();
  return Buffer.from(data, 'base64');
}
