import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import type { Community } from '#contract/communities.ts';
import type { PostEntry } from '#contract/posts.ts';
import { PROJECT_ROOT } from '#scripts/command/project-root.ts';
import { DEMO_USERS } from '#scripts/database/demo-people.ts';
import { CHROMIUM_FLAGS, findChromium } from '#tests/support/find-chromium.ts';
import { writeQrVideo } from '#tests/support/qr-video.ts';
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
const communityId = communities.find(({ member_role }) => member_role === 'admin')?.id ?? communities[0]?.id ?? '';
const idOf = (isMine: boolean): string =>
  posts.find(({ Post: post }) => post.is_mine === isMine && !post.is_found)?.Post.id ?? '';
const photosPostId = posts.find(({ Post: post }) => post.photos.length > 0)?.Post.id ?? '';
const screens = listScreens({ postId: idOf(false), photosPostId, ownPostId: idOf(true), communityId }).filter(
  ({ name }) => name.includes(only),
);

/** What the scanner's camera sees: a code on a wall, not yet in the middle, so that the scanner stays open. */
async function filmCode(): Promise<string> {
  const { qr_code } = await read<{ qr_code: string }>(`/api/communities/${communityId}/qrcode/base64`, neema);
  const film = join(mkdtempSync(join(tmpdir(), 'patikana-film-')), 'code.y4m');
  writeQrVideo(Buffer.from(qr_code, 'base64'), film, { shiftPixels: 240, wall: 150 });
  return film;
}

mkdirSync(folder, { recursive: true });
const executablePath = findChromium();
const film = await filmCode();
const camera = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'];
const browser = await chromium.launch({
  args: [...CHROMIUM_FLAGS, ...camera, `--use-file-for-fake-video-capture=${film}`],
  ...(executablePath && { executablePath }),
});
let total = 0;
// A notice that waits comes over whichever screen is first, once; after this none is in the way.
const [firstLook] = LOOKS;
if (firstLook) {
  const context = await openContext(browser, origin, firstLook, neema);
  const act = (page: Page) => page.getByRole('dialog').waitFor();
  const picture = await photograph(context, origin, { name: 'notice', path: '/', act }).catch(() => null);
  await context.close();
  if (picture && 'notice'.includes(only))
    writeFileSync(join(folder, `notice-${firstLook.width}-${firstLook.language}-${firstLook.theme}.webp`), picture);
}
for (const look of LOOKS) {
  for (const screen of screens) {
    const session = screen.isOfAdmin ? admin : neema;
    const isVisitors = !screen.isOfAdmin && !screen.isSignedIn;
    const context = await openContext(browser, origin, look, isVisitors ? null : session);
    const picture = await photograph(context, origin, screen);
    await context.close();
    total += picture.length;
    writeFileSync(join(folder, `${screen.name}-${look.width}-${look.language}-${look.theme}.webp`), picture);
  }
}
await browser.close();
rmSync(dirname(film), { recursive: true });
console.log(`${screens.length * LOOKS.length} pictures, ${Math.round(total / 1024)} kB in ${folder}`);
