import { readFileSync, writeFileSync } from 'node:fs';
import type { Browser, LaunchOptions, Page, PlaywrightWorkerArgs } from '@playwright/test';
import type { Post, PostEntry } from '#contract/posts.ts';
import { readPng } from '#tests/support/decode-qr.ts';
import { expect, newAdmin, test } from '#tests/support/e2e-fixtures.ts';
import { appOrigin, callApi, type Person } from '#tests/support/e2e-people.ts';
import { sendPost } from '#tests/support/e2e-screen.ts';

const WIDTH = 640;
const HEIGHT = 480;
/**
 * Large enough that the scanner's box of 250 px contains it on a phone and on a desktop. It moves in each frame, as in
 * a hand: at one size the scanner misses one valid code in twenty-five, but others at another size.
 */
const CODE_SIDES = [320, 316, 312, 308, 304, 300, 296, 292, 288, 284];
const BLACK = 16;
const WHITE = 235;

/** Writes a video (raw y4m) of the printed code for Chromium's fake camera, which repeats it. */
function writeQrVideo(png: Buffer, path: string): void {
  const { width, isDark } = readPng(png);
  const draw = (side: number): Buffer => {
    const luma = Buffer.alloc(WIDTH * HEIGHT, WHITE);
    const [left, top] = [(WIDTH - side) / 2, (HEIGHT - side) / 2];
    for (let y = 0; y < side; y++) {
      for (let x = 0; x < side; x++) {
        const at = (pixel: number) => Math.floor(((pixel + 0.5) * width) / side);
        luma[(top + y) * WIDTH + left + x] = isDark(at(x), at(y)) ? BLACK : WHITE;
      }
    }
    return luma;
  };
  const noColour = Buffer.alloc((WIDTH * HEIGHT) / 2, 128);
  const frames = CODE_SIDES.map((side) => Buffer.concat([Buffer.from('FRAME\n'), draw(side), noColour]));
  const header = Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F10:1 Ip A1:1 C420jpeg\n`);
  writeFileSync(path, Buffer.concat([header, ...frames]));
}

declare global {
  interface Window {
    /** Every track that the page received from the camera. */
    cameraTracks: MediaStreamTrack[];
  }
}

/** A browser whose camera films the file (y4m), or a test pattern. */
function launchWithCamera(
  { chromium }: PlaywrightWorkerArgs['playwright'],
  options: LaunchOptions,
  film?: string,
): Promise<Browser> {
  const camera = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'];
  if (film) camera.push(`--use-file-for-fake-video-capture=${film}`);
  return chromium.launch({ ...options, args: [...(options.args ?? []), ...camera] });
}

/** Opens the path as the person, and records the camera tracks that the page receives. */
async function openWithCamera(browser: Browser, person: Person, path: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: appOrigin(), permissions: ['camera'] });
  await context.addInitScript(({ token, id }) => {
    localStorage.setItem('token', token);
    localStorage.setItem('userID', id);
    localStorage.setItem('i18nextLng', 'en');
    window.cameraTracks = [];
    const media = navigator.mediaDevices;
    const getUserMedia = media.getUserMedia.bind(media);
    media.getUserMedia = async (constraints) => {
      const stream = await getUserMedia(constraints);
      window.cameraTracks.push(...stream.getTracks());
      return stream;
    };
  }, person);
  const page = await context.newPage();
  await page.goto(path);
  return page;
}

async function expectCameraReleased(page: Page): Promise<void> {
  const readStates = () => page.evaluate(() => window.cameraTracks.map((track) => track.readyState));
  expect(await readStates()).not.toEqual([]);
  await expect.poll(readStates).not.toContain('live');
}

test('a community is created, approved, joined by its printed code, used for a post, and hidden from others', async ({
  person,
  openAs,
  playwright,
  launchOptions,
}, testInfo) => {
  test.slow();
  const [creator, admin, second, third] = [await person(), await newAdmin(), await person(), await person()];
  const name = `Shule ya Msingi ${creator.id.slice(0, 8)}`;

  const creatorPage = await openAs(creator, '/communities');
  await test.step('one person creates it', async () => {
    await creatorPage
      .getByRole('region', { name: 'Your Communities' })
      .getByRole('button', { name: 'Create a community' })
      .click();
    const dialog = creatorPage.getByRole('dialog', { name: 'Create a community' });
    await dialog.getByRole('textbox', { name: 'Community name' }).fill(`  ${name} `);
    await dialog.getByRole('textbox', { name: 'Description' }).fill('Wazazi, walimu na wanafunzi');
    await dialog.getByRole('button', { name: 'Create community' }).click();
    await expect(creatorPage.getByText(`“${name}” has been created and waits for approval`)).toBeVisible();
    await expect(creatorPage.getByRole('main').getByRole('listitem').filter({ hasText: name })).toContainText(
      'Pending',
    );
  });

  await test.step('an admin approves it', async () => {
    const page = await openAs(admin, '/admin');
    await page.getByRole('textbox', { name: 'Search communities' }).fill(name);
    const card = page.getByRole('main').getByRole('listitem').filter({ hasText: name });
    await card.getByRole('button', { name: 'Approve' }).click();
    await expect(page.getByText(`“${name}” has been approved.`)).toBeVisible();
    await page.getByRole('tab', { name: 'Approved' }).click();
    await expect(page.getByRole('main').getByRole('listitem').filter({ hasText: name })).toBeVisible();
  });

  await test.step('the creator sees the notice live', async () => {
    const notice = creatorPage.getByRole('dialog', { name: 'Your community is approved' });
    await expect(notice).toContainText(name);
    await creatorPage.keyboard.press('Escape');
    await expect(creatorPage.getByRole('main').getByRole('listitem').filter({ hasText: name })).toContainText(
      'Approved',
    );
  });

  const film = testInfo.outputPath('code.y4m');
  await test.step('the creator downloads the code', async () => {
    await creatorPage.goto('/communities');
    await creatorPage.getByRole('link', { name }).click();
    await expect(creatorPage.getByRole('heading', { level: 1, name })).toBeVisible();
    await creatorPage.getByRole('button', { name: 'Generate QR' }).click();
    const dialog = creatorPage.getByRole('dialog', { name: 'QR code' });
    await expect(dialog).toContainText('Scan this code to join');
    const [download] = await Promise.all([
      creatorPage.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`${name}.png`);
    writeQrVideo(readFileSync(await download.path()), film);
  });

  const browser = await launchWithCamera(playwright, launchOptions, film);
  const title = `Daftari la hesabu ${creator.id.slice(0, 8)}`;
  const secondPage = await openWithCamera(browser, second, '/communities');
  await test.step('a second person joins by scanning it', async () => {
    await secondPage.getByRole('button', { name: 'Scan QR code' }).click();
    await expect(secondPage.getByRole('textbox', { name: 'Access code' })).toHaveValue(/^[A-Z2-9]{10}$/);
    await expect(secondPage.getByRole('dialog')).toHaveCount(0);
    await expectCameraReleased(secondPage);
    await secondPage.getByRole('button', { name: 'Join', exact: true }).click();
    await expect(secondPage.getByText('Successfully joined the community!')).toBeVisible();
    await expect(secondPage.getByRole('textbox', { name: 'Access code' })).toHaveValue('');
    await expect(secondPage.getByRole('main').getByRole('listitem').filter({ hasText: name })).toContainText('Member');
  });

  await test.step('and posts inside it', async () => {
    await secondPage.goto('/create-post');
    await secondPage.getByRole('combobox', { name: 'Community' }).selectOption({ label: name });
    await sendPost(secondPage, { title, location: 'Darasa la sita' });
    await expect(secondPage.getByText('Post created successfully!').first()).toBeVisible();
    await expect(secondPage).toHaveURL(/\/view-posts/);
    await secondPage.getByRole('combobox', { name: 'Community' }).selectOption({ label: name });
    await expect(secondPage.getByText(title)).toBeVisible();
  });
  await browser.close();

  await test.step('a third sees nothing of it', async () => {
    const [own] = await callApi<PostEntry[]>('GET', '/api/posts/by-owner', { token: second.token });
    const post = own?.Post as Post;
    expect(post).toMatchObject({ title, community_name: name });
    for (const stranger of [third, null]) {
      const page = await openAs(stranger, `/view-posts?search=${encodeURIComponent(title)}`);
      await expect(page.getByText('No items found')).toBeVisible();
      await expect(page.getByText(title)).toHaveCount(0);
    }
    const page = await openAs(third, '/communities');
    await expect(page.getByText('You are not in any community yet')).toBeVisible();
    await expect(page.getByText(name)).toHaveCount(0);
    const hidden = (path: string) =>
      fetch(`${appOrigin()}${path}`, { headers: { Authorization: `Bearer ${third.token}` } });
    expect((await hidden(`/api/posts/${post.id}`)).status).toBe(404);
    expect((await hidden(`/api/posts?community_code=${post.community_code}`)).status).toBe(403);
  });
});

test('closing the scanner or leaving the page releases the camera', async ({ person, playwright, launchOptions }) => {
  const browser = await launchWithCamera(playwright, launchOptions);
  const page = await openWithCamera(browser, await person(), '/my-posts');
  await expect(page.getByRole('heading', { name: 'My Posts', level: 1 })).toBeVisible();
  // Inside the app: a new page load would release the camera anyway.
  await page.evaluate((path) => {
    history.pushState({}, '', path);
    dispatchEvent(new PopStateEvent('popstate'));
  }, '/communities');
  const scan = page.getByRole('button', { name: 'Scan QR code' });
  const video = page.locator('dialog video');

  await scan.click();
  await expect(video).toHaveCount(1);
  await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.currentTime)).toBeGreaterThan(0);
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await expectCameraReleased(page);

  // Opened and closed faster than a camera starts.
  await scan.click();
  await page.keyboard.press('Escape');
  await scan.click();
  await expect(video).toHaveCount(1);
  await page.goBack();
  await expect(page).toHaveURL(/\/my-posts$/);
  await expectCameraReleased(page);
  await browser.close();
});
