import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';
import type { Claim } from '#contract/claims.ts';
import type { Community } from '#contract/communities.ts';
import type { Language } from '#contract/language.ts';
import type { NoticeList } from '#contract/notices.ts';
import type { PostEntry } from '#contract/posts.ts';
import { PROJECT_ROOT } from '#scripts/command/command.ts';
import { DEMO_USERS } from '#scripts/database/demo-people.ts';
import { CHROMIUM_FLAGS, findChromium } from '#tests/support/processes.ts';
import { startApp } from '#tests/support/start-app.ts';

type Session = { access_token: string; user_id: string };
type Picture = {
  name: string;
  path: string;
  language: Language;
  session?: Session;
  isDark?: boolean;
  isDesktop?: boolean;
  act?: (page: Page) => Promise<void>;
};

const FOLDER = join(PROJECT_ROOT, 'docs/screens');
const PHONE = { width: 360, height: 800 };
const DESKTOP = { width: 1280, height: 800 };

/** `npm run screens`: writes new pictures to docs/screens. They show an app with demo data that this script starts. */
const app = await startApp([], { hasDemo: true });
const executablePath = findChromium();
const browser = await chromium.launch({ args: CHROMIUM_FLAGS, ...(executablePath && { executablePath }) });
try {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER);
  for (const picture of await listPictures()) {
    const file = `${picture.name}-${picture.language}.webp`;
    writeFileSync(join(FOLDER, file), await takePicture(browser, picture));
    console.log(file);
    if (picture.session) await readNotices(picture.session);
  }
} finally {
  await browser.close();
  await app.stop();
}

async function listPictures(): Promise<Picture[]> {
  const neema = await signIn(DEMO_USERS.neema);
  const posts = await read<PostEntry[]>('/api/posts?limit=50', neema);
  const lost = posts.find(({ Post: post }) => post.photos.length > 0 && !post.is_mine && !post.is_found);
  const [claim] = await read<Claim[]>('/api/claims', neema);
  const [community] = await read<Community[]>('/api/communities', neema);
  return [
    { name: 'notice', path: '/', language: 'sw', session: neema, act: seeNotice },
    { name: 'home', path: '/', language: 'sw' },
    { name: 'view-posts', path: '/view-posts?kind=document', language: 'en', isDesktop: true },
    { name: 'post', path: `/posts/${lost?.Post.id}`, language: 'en', session: neema },
    { name: 'create-post', path: '/create-post', language: 'sw', session: neema },
    { name: 'my-posts', path: '/my-posts', language: 'en', session: neema, isDark: true },
    { name: 'claim', path: `/claims/${claim?.id}`, language: 'sw', session: neema },
    { name: 'community', path: `/communities/${community?.id}`, language: 'en', session: neema },
  ];
}

async function seeNotice(page: Page): Promise<void> {
  await page.getByRole('dialog').waitFor();
}

/** Marks the remaining notices as read, because they would cover the next screens. */
async function readNotices(session: Session): Promise<void> {
  const { notices } = await read<NoticeList>('/api/notices', session);
  await fetch(`${app.origin}/api/notices/read`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${session.access_token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ ids: notices.map(({ message }) => message.id) }),
  });
}

async function signIn(user: { email: string; password: string }): Promise<Session> {
  const body = new URLSearchParams({ username: user.email, password: user.password });
  const answer = await fetch(`${app.origin}/api/login`, { method: 'POST', body });
  return (await answer.json()) as Session;
}

async function read<Body>(path: string, { access_token }: Session): Promise<Body> {
  const answer = await fetch(app.origin + path, { headers: { Authorization: `Bearer ${access_token}` } });
  return (await answer.json()) as Body;
}

/** Returns the screen as WebP, once it has finished loading. */
async function takePicture(browser: Browser, picture: Picture): Promise<Buffer> {
  const { session } = picture;
  const stored = {
    i18nextLng: picture.language,
    ...(session && { token: session.access_token, userID: session.user_id }),
  };
  const localStorage = Object.entries(stored).map(([name, value]) => ({ name, value }));
  const context = await browser.newContext({
    viewport: picture.isDesktop ? DESKTOP : PHONE,
    deviceScaleFactor: picture.isDesktop ? 1 : 2,
    colorScheme: picture.isDark ? 'dark' : 'light',
    locale: picture.language,
    timezoneId: 'Africa/Dar_es_Salaam',
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
    storageState: { cookies: [], origins: [{ origin: app.origin, localStorage }] },
  });
  const page = await context.newPage();
  await page.goto(app.origin + picture.path, { waitUntil: 'networkidle' });
  await page.locator('h1').first().waitFor();
  // Waits for the data too: on a busy machine the network may be idle before the page requests its data.
  await page.waitForFunction(() => document.querySelector('#root h1') && !document.querySelector('#root .skeleton'));
  await picture.act?.(page);
  const devtools = await context.newCDPSession(page);
  const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: 60 });
  await context.close();
  return Buffer.from(data, 'base64');
}
