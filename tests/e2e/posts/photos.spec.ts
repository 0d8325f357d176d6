import type { Page } from '@playwright/test';
import type { PostEntry } from '#contract/posts.ts';
import { test as base, expect } from '#tests/support/e2e-fixtures.ts';
import { CUT_OFF, waitUntilKept } from '#tests/support/e2e-offline.ts';
import { appOrigin, callApi, type Person } from '#tests/support/e2e-people.ts';
import { sendPost } from '#tests/support/e2e-screen.ts';
import { takePhoto } from '#tests/support/tagged-photo.ts';

const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from the pattern.
  expectedErrors: async ({}, use) => use([CUT_OFF]),
});

test.use({ serviceWorkers: 'allow' });

async function choosePhotos(page: Page, ...photos: Buffer[]): Promise<void> {
  const files = photos.map((buffer, at) => ({ name: `IMG_${at}.jpg`, mimeType: 'image/jpeg', buffer }));
  await page.getByLabel('Add photos').setInputFiles(files);
  await expect(page.getByLabel(/What is in the picture/)).toHaveCount(photos.length);
}

async function ownPosts({ token }: Person) {
  return (await callApi<PostEntry[]>('GET', '/api/posts/by-owner', { token })).map(({ Post }) => Post);
}

/** Returns the colours at the top and bottom of a picture, as the browser draws it. */
function coloursOf(page: Page, address: string): Promise<string[]> {
  return page.evaluate(async (url) => {
    const bitmap = await createImageBitmap(await (await fetch(url)).blob());
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    context?.drawImage(bitmap, 0, 0);
    return [0.25, 0.75].map((share) => {
      const [red = 0, , blue = 0] = context?.getImageData(bitmap.width / 2, bitmap.height * share, 1, 1).data ?? [];
      return red > 200 && blue < 50 ? 'red' : blue > 200 && red < 50 ? 'blue' : `${red} ${blue}`;
    });
  }, address);
}

/** Returns the pictures that wait on the phone for their upload. */
async function keptPictures(page: Page): Promise<Buffer[]> {
  const pictures = await page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open('patikana');
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    const photos = await new Promise<{ picture: Blob }[]>((resolve, reject) => {
      const request = database.transaction('photos').objectStore('photos').getAll();
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    database.close();
    return Promise.all(photos.map(async ({ picture }) => [...new Uint8Array(await picture.arrayBuffer())]));
  });
  return pictures.map((bytes) => Buffer.from(bytes));
}

const TRACES = ['Exif', 'EXIF', 'ICC', 'xap', 'XMP', 'Nyumbani'];
const tracesIn = (bytes: Buffer) => TRACES.filter((trace) => bytes.includes(trace));

test('an uploaded photo is upright, without the phone’s metadata, and opens at full size', async ({
  person,
  openAs,
}) => {
  const author = await person();
  const page = await openAs(author, '/create-post');
  const photo = await takePhoto(page);
  expect(tracesIn(photo)).toEqual(['Exif', 'ICC', 'xap', 'Nyumbani']);
  await choosePhotos(page, photo);
  await page.getByLabel(/What is in the picture/).fill('Mkoba mwekundu na wa bluu');
  const [waiting] = await keptPictures(page);
  expect(waiting?.length).toBeGreaterThan(0);
  // The browser adds its own colour profile when it draws, which the server removes.
  expect(tracesIn(waiting ?? photo).filter((trace) => trace !== 'ICC')).toEqual([]);
  await sendPost(page, { title: 'Mkoba wa shule' });
  await expect(page.getByText('The photos have been added to your post.')).toBeVisible();

  const [post] = await ownPosts(author);
  const [made] = post?.photos ?? [];
  expect(made).toMatchObject({ alt: 'Mkoba mwekundu na wa bluu', width: 960, height: 1280 });
  for (const path of [made?.url, made?.thumbnail_url]) {
    const address = `${appOrigin()}${path}`;
    expect(tracesIn(Buffer.from(await (await fetch(address)).arrayBuffer()))).toEqual([]);
    expect(await coloursOf(page, address)).toEqual(['red', 'blue']);
  }

  await expect(page).toHaveURL(/\/view-posts$/);
  await expect(page.getByRole('img', { name: 'Mkoba mwekundu na wa bluu' }).first()).toBeVisible();
  await page.goto(`/posts/${post?.id}`);
  const thumbnail = page.getByRole('button', { name: 'Mkoba mwekundu na wa bluu' });
  await thumbnail.click();
  const viewer = page.getByRole('dialog', { name: 'Photos: Mkoba wa shule' });
  await expect(viewer.getByRole('img')).toHaveJSProperty('naturalWidth', 960);
  await page.keyboard.press('Escape');
  await expect(viewer).toBeHidden();
  await expect(thumbnail).toBeFocused();
  await thumbnail.click();
  await expect(viewer).toBeVisible();
  await page.goBack();
  await expect(viewer).toBeHidden();
});

test('a post with two photos written offline arrives once, despite a reload and two tabs', async ({
  person,
  openAs,
}) => {
  const author = await person();
  const page = await openAs(author, '/create-post');
  const photo = await takePhoto(page);
  await waitUntilKept(page, /my-posts-screen/);
  await waitUntilKept(page, /shrink-worker/);
  await page.context().setOffline(true);
  await choosePhotos(page, photo, photo);
  await expect(page.getByText(/cannot store photos/)).toBeHidden();
  await sendPost(page, { title: 'Begi la safari' });
  await expect(page).toHaveURL(/\/my-posts$/);
  await page.reload();
  await expect(page.getByText('2 photos are waiting for the network.')).toBeVisible();
  const other = await page.context().newPage();
  await other.goto('/my-posts');
  await expect(other.getByText('2 photos are waiting for the network.')).toBeVisible();

  // The first response to each photo is lost: the Worker has the photo, and the phone does not know.
  const seen = new Set<string>();
  await page.context().route('**/api/posts/*/photos*', async (route) => {
    const key = route.request().headers()['idempotency-key'] ?? '';
    if (seen.has(key)) return route.continue();
    seen.add(key);
    await route.fetch();
    await route.abort();
  });
  await page.context().setOffline(false);
  await expect
    .poll(async () => {
      for (const tab of [page, other]) await tab.evaluate(() => window.dispatchEvent(new Event('online')));
      return page.getByRole('region', { name: 'Photos being sent' }).count();
    })
    .toBe(0);
  const posts = await ownPosts(author);
  expect(posts.map(({ title, photos }) => [title, photos.length])).toEqual([['Begi la safari', 2]]);
  expect(seen.size).toBe(2);
});
