import type { Page } from '@playwright/test';
import type { PostEntry } from '#contract/posts.ts';
import { test as base, expect } from '#tests/support/e2e-fixtures.ts';
import { CUT_OFF, waitUntilKept } from '#tests/support/e2e-offline.ts';
import { appOrigin, callApi, type Person } from '#tests/support/e2e-people.ts';
import { sendPost } from '#tests/support/e2e-screen.ts';

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

test('an uploaded photo is rotated upright, has lost the phone’s metadata, and opens in full size', async ({
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
  // When the browser draws the photo, it adds its own colour profile. The server later removes this profile.
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

test('a post with two photos, written without a network, is created once despite a reload and a second tab', async ({
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

  // The first response to each photo is lost: the Worker has stored the photo, but the phone does not know that.
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

const [SOI_BYTES, APP1, APP2] = [2, 0xe1, 0xe2];
/** The EXIF orientation of a photo taken with an upright phone: apps must show it rotated clockwise by 90 degrees. */
const TURN_RIGHT = 6;

/** A photo as a phone stores it: rotated, with its orientation, the place, an XMP note and a colour profile. */
async function takePhoto(page: Page): Promise<Buffer> {
  const jpeg = Buffer.from(await page.evaluate(paint), 'base64');
  const tags = [
    segment(APP1, Buffer.from('Exif\0\0'), exif()),
    segment(
      APP1,
      Buffer.from('http://ns.adobe.com/xap/1.0/\0'),
      Buffer.from('<x:xmpmeta>Nyumbani kwa Asha</x:xmpmeta>'),
    ),
    segment(APP2, Buffer.from('ICC_PROFILE\0\x01\x01'), Buffer.alloc(128, 'icc')),
  ];
  return Buffer.concat([jpeg.subarray(0, SOI_BYTES), ...tags, jpeg.subarray(SOI_BYTES)]);
}

/** Returns a picture that is red on the left. Turned upright, the picture is red at the top and blue at the bottom. */
async function paint(): Promise<string> {
  const canvas = Object.assign(document.createElement('canvas'), { width: 1600, height: 1200 });
  const context = canvas.getContext('2d');
  if (!context) throw new Error('No canvas');
  context.fillStyle = 'red';
  context.fillRect(0, 0, 800, 1200);
  context.fillStyle = 'blue';
  context.fillRect(800, 0, 800, 1200);
  return canvas.toDataURL('image/jpeg', 0.9).split(',')[1] ?? '';
}

function segment(marker: number, name: Buffer, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(2 + name.length + content.length, 2);
  return Buffer.concat([head, name, content]);
}

/** EXIF data with the orientation and a place: 6° 48' south, 39° 17' east. */
function exif(): Buffer {
  const gpsAt = 8 + 2 + 2 * 12 + 4;
  const coordinatesAt = gpsAt + 2 + 4 * 12 + 4;
  return Buffer.concat([
    Buffer.from('MM\0*\0\0\0\x08'),
    directory([entry(0x0112, 3, 1, TURN_RIGHT << 16), entry(0x8825, 4, 1, gpsAt)]),
    directory([
      entry(1, 2, 2, 'S'.charCodeAt(0) << 24),
      entry(2, 5, 3, coordinatesAt),
      entry(3, 2, 2, 'E'.charCodeAt(0) << 24),
      entry(4, 5, 3, coordinatesAt + 24),
    ]),
    numbers(6, 1, 48, 1, 0, 1, 39, 1, 17, 1, 0, 1),
  ]);
}

function directory(entries: Buffer[]): Buffer {
  return Buffer.concat([Buffer.from([0, entries.length]), ...entries, numbers(0)]);
}

function entry(tag: number, type: number, count: number, value: number): Buffer {
  const bytes = Buffer.alloc(12);
  bytes.writeUInt16BE(tag, 0);
  bytes.writeUInt16BE(type, 2);
  bytes.writeUInt32BE(count, 4);
  bytes.writeInt32BE(value, 8);
  return bytes;
}

function numbers(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, at * 4);
  return bytes;
}
