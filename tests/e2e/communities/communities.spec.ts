import { readFileSync, writeFileSync } from 'node:fs';
import type { Browser, LaunchOptions, Page, PlaywrightWorkerArgs } from '@playwright/test';
import type { CommunityPage } from '#contract/communities.ts';
import type { Post, PostEntry } from '#contract/posts.ts';
import { readPng } from '#tests/support/decode-qr.ts';
import { expect, newAdmin, test } from '#tests/support/e2e-fixtures.ts';
import { appOrigin, callApi, type Person } from '#tests/support/e2e-people.ts';
import { findViolations, sendPost } from '#tests/support/e2e-screen.ts';

const WIDTH = 640;
const HEIGHT = 480;
/**
 * The width of the QR code in each frame of the video, in pixels. These widths suit the scanner's box, which is 250 px
 * wide on every screen. They differ as if a hand held the camera: at any one width the scanner misses one valid code in
 * twenty-five.
 */
const CODE_SIDES = [320, 316, 312, 308, 304, 300, 296, 292, 288, 284];
const BLACK = 16;
const WHITE = 235;

/** Writes a video (raw y4m) of the QR code. Chromium's fake camera plays the video in a loop. */
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

/** Launches a browser. Its fake camera plays the video file `film` (y4m) or, without a file, a test pattern. */
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

test('a community is created and approved, a person joins it by scanning its QR code, and only members see the posts in it', async ({
  person,
  openAs,
  playwright,
  launchOptions,
}, testInfo) => {
  const [creator, admin, second, third] = [await person(), await newAdmin(), await person(), await person()];
  const name = `Shule ya Msingi ${creator.id.slice(0, 8)}`;

  const creatorPage = await openAs(creator, '/communities');
  await test.step('one person creates the community', async () => {
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

  await test.step('an admin approves the community', async () => {
    const page = await openAs(admin, '/admin');
    await page.getByRole('textbox', { name: 'Search communities' }).fill(name);
    const card = page.getByRole('main').getByRole('listitem').filter({ hasText: name });
    await card.getByRole('button', { name: 'Approve' }).click();
    await expect(page.getByText(`“${name}” has been approved.`)).toBeVisible();
    await page.getByRole('tab', { name: 'Approved' }).click();
    await expect(page.getByRole('main').getByRole('listitem').filter({ hasText: name })).toBeVisible();
  });

  await test.step('the creator sees the notice of the approval at once', async () => {
    const notice = creatorPage.getByRole('dialog', { name: 'Your community is approved' });
    await expect(notice).toContainText(name);
    await creatorPage.keyboard.press('Escape');
    await expect(creatorPage.getByRole('main').getByRole('listitem').filter({ hasText: name })).toContainText(
      'Approved',
    );
  });

  const film = testInfo.outputPath('code.y4m');
  await test.step('the creator downloads the QR code of the access code', async () => {
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
  await test.step('a second person joins by scanning the QR code', async () => {
    await secondPage.getByRole('button', { name: 'Scan QR code' }).click();
    await expect(secondPage.getByRole('textbox', { name: 'Access code' })).toHaveValue(/^[A-Z2-9]{10}$/);
    await expect(secondPage.getByRole('dialog')).toHaveCount(0);
    await expectCameraReleased(secondPage);
    await secondPage.getByRole('button', { name: 'Join', exact: true }).click();
    await expect(secondPage.getByText('Successfully joined the community!')).toBeVisible();
    await expect(secondPage.getByRole('textbox', { name: 'Access code' })).toHaveValue('');
    await expect(secondPage.getByRole('main').getByRole('listitem').filter({ hasText: name })).toContainText('Member');
  });

  await test.step('the second person posts inside the community', async () => {
    await secondPage.goto('/create-post');
    await secondPage.getByRole('combobox', { name: 'Community' }).selectOption({ label: name });
    await sendPost(secondPage, { title, location: 'Darasa la sita' });
    await expect(secondPage.getByText('Post created successfully!').first()).toBeVisible();
    await expect(secondPage).toHaveURL(/\/view-posts/);
    await secondPage.getByRole('combobox', { name: 'Community' }).selectOption({ label: name });
    await expect(secondPage.getByText(title)).toBeVisible();
  });
  await browser.close();

  await test.step('a third person, who is not a member, does not see the post', async () => {
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

test('closing the scanner or leaving its page turns the camera off', async ({ person, playwright, launchOptions }) => {
  const browser = await launchWithCamera(playwright, launchOptions);
  const page = await openWithCamera(browser, await person(), '/my-posts');
  await expect(page.getByRole('heading', { name: 'My Posts', level: 1 })).toBeVisible();
  // Navigates inside the app: a new page load would release the camera anyway.
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

  // Opens and closes the scanner faster than a camera starts.
  await scan.click();
  await page.keyboard.press('Escape');
  await scan.click();
  await expect(video).toHaveCount(1);
  await page.goBack();
  await expect(page).toHaveURL(/\/my-posts$/);
  await expectCameraReleased(page);
  await browser.close();
});

const joinBy = ({ token }: Person, access_code: string) =>
  callApi('POST', '/api/communities/join', { body: { access_code }, token });

async function expectAccessible(page: Page, what: string): Promise<void> {
  await expect(page.locator('.skeleton')).toHaveCount(0);
  expect(await findViolations(page), what).toEqual([]);
}

/** The head teacher reads Swahili, the parent English. */
test('a school’s community is created, approved, joined and given another admin; its closing is announced and then undone', async ({
  person,
  openAs,
}) => {
  const [head, parent, pupil, teacher, platform] = [
    await person(),
    await person(),
    await person(),
    await person(),
    await newAdmin(),
  ];
  const name = `Shule ya ${head.id.slice(0, 8)}`;
  const heads = await openAs(head, '/communities', { language: 'sw' });
  const parents = await openAs(parent, '/communities');
  const dialogOf = (page: Page) => page.getByRole('dialog');

  await test.step('the head teacher creates the community, and an admin of the platform approves it', async () => {
    await heads.getByRole('button', { name: 'Anzisha jumuiya' }).last().click();
    await dialogOf(heads).getByRole('textbox', { name: 'Jina la jumuiya' }).fill(name);
    await dialogOf(heads).getByRole('button', { name: 'Anzisha jumuiya' }).click();
    await expect(heads.getByText(`Jumuiya “${name}” imeanzishwa`)).toBeVisible();
    const page = await openAs(platform, '/');
    await page.getByRole('button', { name: 'Open menu' }).click();
    await page.getByRole('link', { name: 'Administration' }).click();
    await page.getByRole('textbox', { name: 'Search communities' }).fill(name);
    const card = page.getByRole('main').getByRole('listitem').filter({ hasText: name });
    await expect(card.getByRole('link', { name: head.username })).toBeVisible();
    await expect(card.getByRole('link', { name: `Call ${head.phone}` })).toBeVisible();
    await card.getByRole('button', { name: 'Approve' }).click();
    await expect(page.getByText(`“${name}” has been approved.`)).toBeVisible();
    await dialogOf(heads).getByRole('link', { name: 'Fungua jumuiya' }).click();
    await expect(heads.getByRole('heading', { level: 1, name })).toBeVisible();
  });
  const id = new URL(heads.url()).pathname.split('/').at(-1) ?? '';
  const read = () => callApi<CommunityPage>('GET', `/api/communities/${id}`, { token: head.token });

  await test.step('a parent finds the community by name and requests to join', async () => {
    await parents.getByRole('link', { name: 'Find a community by name' }).click();
    await parents.getByRole('textbox', { name: 'Search by name' }).fill(name);
    await parents.getByRole('button', { name: `Ask to join ${name}` }).click();
    await dialogOf(parents)
      .getByRole('textbox', { name: /Message/ })
      .fill('Mzazi wa darasa la pili');
    await expectAccessible(parents, 'ask to join');
    await dialogOf(parents).getByRole('button', { name: 'Send' }).click();
    await expect(parents.getByText('You have asked', { exact: true })).toBeVisible();
  });

  await test.step('the head teacher gets a notice of the request and accepts it', async () => {
    await dialogOf(heads).getByRole('link', { name: 'Tazama anayeomba' }).click();
    const request = heads.getByRole('region', { name: 'Maombi ya kujiunga' }).getByRole('listitem');
    await expect(request).toContainText('Mzazi wa darasa la pili');
    await request.getByRole('button', { name: 'Mkubali', exact: true }).click();
    await expect(heads.getByRole('button', { name: `Badilisha anachoruhusiwa ${parent.username}` })).toBeVisible();
    await dialogOf(parents).getByRole('link', { name: 'Open the community' }).click();
    await expect(parents.getByRole('heading', { level: 1, name })).toBeVisible();
    await expect(parents.getByRole('region', { name: 'Who runs it' })).toContainText(head.username);
  });

  await test.step('the head teacher posts two things in a row at the community’s desk for found things', async () => {
    await heads.getByRole('link', { name: 'Fungua dawati' }).click();
    const title = heads.getByRole('textbox', { name: 'Kichwa cha tangazo' });
    await title.fill('Begi la bluu');
    await heads.getByRole('textbox', { name: 'Mahali', exact: true }).fill('Uwanjani');
    await heads.getByRole('textbox', { name: 'Kiko wapi sasa?' }).fill('Ofisi ya mwalimu mkuu');
    await expectAccessible(heads, 'desk');
    await title.press('Enter');
    await expect(heads.getByText(/“Begi la bluu” kimetangazwa\. Kiandikie namba \d{3} \d{3}\./)).toBeVisible();
    await expect(title).toBeFocused();
    await heads.keyboard.type('Kofia nyekundu');
    await heads.keyboard.press('Enter');
    await expect(heads.getByText(/“Kofia nyekundu” kimetangazwa/)).toBeVisible();
    await expect(heads.getByText('Leo umetangaza vitu 2')).toBeVisible();
    await parents.reload();
    await expect(parents.getByRole('link', { name: 'Kofia nyekundu' })).toBeVisible();
  });

  await test.step('a pupil is removed, and the access code is renewed', async () => {
    const { access_code: old = '' } = await read();
    await joinBy(pupil, old);
    await joinBy(teacher, old);
    await heads.goto(`/community-details/${id}?tab=members`);
    await heads.getByRole('button', { name: `Badilisha anachoruhusiwa ${pupil.username}` }).click();
    await expectAccessible(heads, 'a member');
    await dialogOf(heads).getByRole('button', { name: 'Mwondoe kwenye jumuiya' }).click();
    await dialogOf(heads).getByRole('button', { name: 'Mwondoe', exact: true }).click();
    await expect(dialogOf(heads)).toContainText(`${pupil.username} ameondolewa, lakini bado anaujua msimbo`);
    await dialogOf(heads).getByRole('button', { name: 'Tengeneza mpya' }).click();
    await expect(dialogOf(heads)).toHaveCount(0);
    await expect(heads.getByText(pupil.username)).toHaveCount(0);
    await heads.getByRole('tab', { name: 'Dashibodi' }).click();
    const { access_code: renewed } = await read();
    await expect(heads.getByRole('textbox', { name: 'Msimbo wa kujiunga' })).toHaveValue(renewed ?? '');
    expect(renewed).not.toBe(old);
    await expect(joinBy(await person(), old)).rejects.toThrow('404');
  });

  await test.step('the parent becomes a second admin, and the head teacher hands the community over to another teacher', async () => {
    await heads.getByRole('tab', { name: 'Wanachama' }).click();
    await heads.getByRole('button', { name: `Badilisha anachoruhusiwa ${parent.username}` }).click();
    await dialogOf(heads).getByRole('button', { name: 'Mfanye msimamizi' }).click();
    await dialogOf(heads).getByRole('button', { name: 'Mfanye msimamizi' }).click();
    await expect(dialogOf(heads)).toHaveCount(0);
    await heads.getByRole('button', { name: `Badilisha anachoruhusiwa ${teacher.username}` }).click();
    await dialogOf(heads).getByRole('button', { name: 'Mkabidhi jumuiya' }).click();
    await dialogOf(heads).getByRole('button', { name: 'Mkabidhi', exact: true }).click();
    await expect(heads).toHaveURL(new RegExp(`/communities/${id}$`));
    const runners = heads.getByRole('region', { name: 'Wanaoisimamia' });
    await expect(runners).toContainText(teacher.username);
    await expect(runners).not.toContainText(head.username);
  });

  await test.step('the parent closes the community, members see the closing date, and the parent undoes the closing', async () => {
    await parents.goto(`/community-details/${id}?tab=settings`);
    await parents.getByRole('button', { name: 'Close the community' }).click();
    await dialogOf(parents).getByRole('button', { name: 'Close it' }).click();
    await expect(parents.getByText(/This community closes on/)).toBeVisible();
    await expectAccessible(parents, 'closing');
    await expect(heads.getByText(/Jumuiya hii itafungwa tarehe/)).toBeVisible();
    await parents.getByRole('button', { name: 'Keep it open' }).click();
    await expect(parents.getByText(/This community closes on/)).toHaveCount(0);
    expect((await read()).closes_at).toBeNull();
  });
});
