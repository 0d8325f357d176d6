import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { DEMO_USERS } from '#scripts/demo-data.ts';
import { PROJECT_ROOT } from '#scripts/project-root.ts';
import { CHROMIUM_FLAGS, findChromium } from '#tests/support/find-chromium.ts';
import type { Community } from '#worker/contract/communities.ts';
import type { PostEntry } from '#worker/contract/posts.ts';
import { type Look, listScreens, openContext, photograph, type Session } from './screens.ts';

/**
 * Photographs every screen of a running app with demo data into docs/screens:
 * `npm run screens -- http://127.0.0.1:8787 [folder] [name]`.
 */
const [origin = 'http://127.0.0.1:8787', folder = join(PROJECT_ROOT, 'docs/screens'), only = ''] =
  process.argv.slice(2);

const LOOKS: Look[] = [
  { width: 360, height: 800, language: 'sw', theme: 'light' },
  { width: 360, height: 800, language: 'en', theme: 'dark' },
  { width: 768, height: 1024, language: 'sw', theme: 'dark' },
  { width: 1440, height: 900, language: 'en', theme: 'light' },
];

async function signIn(user: { email: string; password: string }): Promise<Session> {
  const body = new URLSearchParams({ username: user.email, password: user.password });
  const answer = await fetch(`${origin}/api/login`, { method: 'POST', body });
  const { access_token, user_id } = (await answer.json()) as { access_token: string; user_id: string };
  return { token: access_token, userId: user_id };
}

async function read<Body>(path: string, { token }: Session): Promise<Body> {
  const answer = await fetch(`${origin}${path}`, { headers: { Authorization: `Bearer ${token}` } });
  return (await answer.json()) as Body;
}

const [neema, admin] = await Promise.all([signIn(DEMO_USERS.neema), signIn(DEMO_USERS.admin)]);
const posts = await read<PostEntry[]>('/api/posts', neema);
const communities = await read<Community[]>('/api/communities', neema);
const screens = listScreens({
  postId: posts[0]?.Post.id ?? '',
  communityId: communities.find(({ member_role }) => member_role === 'admin')?.id ?? communities[0]?.id ?? '',
});

mkdirSync(folder, { recursive: true });
const executablePath = findChromium();
const browser = await chromium.launch({ args: CHROMIUM_FLAGS, ...(executablePath && { executablePath }) });
let total = 0;
// A notice that waits comes over whichever screen is first, once; after this none is in the way.
const [firstLook] = LOOKS;
if (firstLook && 'notice'.includes(only)) {
  const context = await openContext(browser, origin, firstLook, neema);
  const act = (page: Page) => page.getByRole('dialog').waitFor();
  const picture = await photograph(context, origin, { name: 'notice', path: '/', act }).catch(() => null);
  await context.close();
  if (picture)
    writeFileSync(join(folder, `notice-${firstLook.width}-${firstLook.language}-${firstLook.theme}.webp`), picture);
}
for (const look of LOOKS) {
  for (const screen of screens.filter(({ name }) => name.includes(only))) {
    const session = screen.name === 'admin' ? admin : neema;
    const context = await openContext(browser, origin, look, screen.isSignedIn ? session : null);
    const picture = await photograph(context, origin, screen);
    await context.close();
    total += picture.length;
    writeFileSync(join(folder, `${screen.name}-${look.width}-${look.language}-${look.theme}.webp`), picture);
  }
}
await browser.close();
console.log(`${screens.length * LOOKS.length} pictures, ${Math.round(total / 1024)} kB in ${folder}`);
