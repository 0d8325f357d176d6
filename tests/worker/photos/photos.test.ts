import { env } from 'cloudflare:workers';
import { deflateSync } from 'node:zlib';
import { beforeEach, expect, test } from 'vitest';
import type { ErrorBody } from '#contract/error-codes.ts';
import { PHOTOS_OF_PERSON_MAX } from '#contract/limits.ts';
import type { Photo } from '#contract/photos.ts';
import type { Post } from '#contract/posts.ts';
import { readPng } from '#tests/support/decode-qr.ts';
import { PICTURES, QUARTERS, readQuarters, TRACES } from '#tests/support/pictures/pictures.ts';
import { call, newPerson, newPost, type Person } from '#tests/worker/support/api.ts';
import { bytesAt, newPhoto, newPostWithPhoto, objects, picture, rows, sendPhoto } from '#tests/worker/support/posts.ts';
import { makeRenditions } from '#worker/photos/make-renditions.ts';

let author: Person;
let post: Post;

beforeEach(async () => {
  author = await newPerson();
  await env.DB.prepare('update phone_numbers set proven_at = 1 where user_id = ?').bind(author.id).run();
  post = await newPost(author);
});

async function errorOf(answer: Response): Promise<[number, string]> {
  return [answer.status, (await answer.json<ErrorBody>()).code];
}

async function photosOf(id = post.id): Promise<Photo[]> {
  return (await (await call('GET', `/api/posts/${id}`, undefined, author)).json<Post>()).photos;
}

async function unpack(bytes: Uint8Array) {
  const made = await env.IMAGES.input(new Blob([bytes]).stream()).output({ format: 'image/png' });
  return readPng(Buffer.from(await made.response().arrayBuffer()));
}

async function quartersOf(bytes: Uint8Array): Promise<string[]> {
  return readQuarters(await unpack(bytes));
}

/** A PNG of these dimensions, with random pixels. */
function noise(width: number, height: number): Uint8Array {
  const raw = Buffer.alloc(height * (1 + width * 3));
  let seed = 1;
  for (let at = 0; at < raw.length; at++) {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    raw[at] = at % (1 + width * 3) === 0 ? 0 : seed >> 16;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(raw, { level: 1 })),
    chunk('IEND'),
  ]);
}

function chunk(name: string, content = Buffer.alloc(0)): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), content]);
  const frame = Buffer.alloc(4);
  frame.writeUInt32BE(content.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([frame, named, checksum]);
}

function crc32(bytes: Uint8Array): number {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

test('a stored picture is turned upright, and its place, device, colour profile and orientation data are removed', async () => {
  const sent = picture('phone.jpg');
  const said = [...Object.values(TRACES), 'Exif', 'ICC_PROFILE'];
  for (const trace of said) expect(Buffer.from(sent).includes(trace, 0, 'latin1'), trace).toBe(true);
  const photo = await newPhoto(post.id, author, 'phone.jpg');
  expect(photo).toMatchObject({ width: 320, height: 240, alt: '' });
  for (const file of [photo.url, photo.thumbnail_url, photo.url.replace('.webp', '-og.jpg')]) {
    const kept = await bytesAt(file);
    for (const trace of [...said, 'ICCP', 'EXIF', 'XMP', 'VP8X'])
      expect(Buffer.from(kept).includes(trace, 0, 'latin1'), `${trace} in ${file}`).toBe(false);
    expect(await quartersOf(kept)).toEqual(QUARTERS);
  }
});

test.each(PICTURES)(
  'the uploaded picture $name is stored as a WebP of at most 1,280 pixels a side, with a thumbnail and a preview for sharing',
  async ({ name, ...size }) => {
    const { width, height, url, thumbnail_url } = await newPhoto(post.id, author, name);
    expect(size).toMatchObject({ width, height });
    const [photo, thumbnail] = [await bytesAt(url), await bytesAt(thumbnail_url)];
    const infoOf = (bytes: Uint8Array) => env.IMAGES.info(new Blob([bytes]).stream());
    expect(await infoOf(photo)).toMatchObject({ format: 'image/webp', width, height });
    expect(await infoOf(thumbnail)).toMatchObject({ format: 'image/webp', width: 320, height: 240 });
    const og = await bytesAt(url.replace('.webp', '-og.jpg'));
    expect(await infoOf(og)).toMatchObject({ format: 'image/jpeg', width: 1200, height: 630 });
    const stored = await Promise.all(
      [url, thumbnail_url, url.replace('.webp', '-og.jpg')].map((path) =>
        env.PHOTOS.head(path.slice('/photos/'.length)),
      ),
    );
    const types = stored.map((object) => object?.httpMetadata?.contentType);
    expect(types).toEqual(['image/webp', 'image/webp', 'image/jpeg']);
    if (name !== 'grey.jpg') expect(await quartersOf(photo)).toEqual(QUARTERS);
  },
);

test('the files of a photo’s thumbnail and link preview stay within their size limits, even if the photo compresses badly', async () => {
  const answer = await sendPhoto(post.id, author, noise(900, 900), { type: 'image/png' });
  expect(answer.status).toBe(201);
  const { url, thumbnail_url } = await answer.json<Photo>();
  const thumbnail = await bytesAt(thumbnail_url);
  expect(thumbnail.length).toBeLessThanOrEqual(12_000);
  expect((await env.IMAGES.info(new Blob([thumbnail]).stream())) as { width: number }).toMatchObject({
    width: expect.toSatisfy((width: number) => width < 320),
  });
  expect((await bytesAt(url.replace('.webp', '-og.jpg'))).length).toBeLessThanOrEqual(250_000);
});

const exe = Buffer.concat([Buffer.from('MZ\x90\0'), Buffer.alloc(500)]);
const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
const REFUSED: [what: string, bytes: () => Uint8Array, error: [number, string]][] = [
  ['a renamed EXE', () => exe, [415, 'unsupported_media_type']],
  ['an SVG', () => svg, [415, 'unsupported_media_type']],
  ['a GIF', () => picture('animated.gif'), [415, 'unsupported_media_type']],
  ['a script disguised as a GIF', () => Buffer.from('GIF89a/*\0\0*/=1;alert(1)'), [415, 'unsupported_media_type']],
  ['an SVG followed by a JPEG', () => Buffer.concat([svg, picture('grey.jpg')]), [415, 'unsupported_media_type']],
  ['a truncated JPEG', () => picture('progressive.jpg').subarray(0, -200), [422, 'photo_broken']],
  ['half a PNG', () => picture('palette.png').subarray(0, 400), [422, 'photo_broken']],
  ['half a WebP', () => picture('animated.webp').subarray(0, 400), [422, 'photo_broken']],
  ['a JPEG without content', () => Buffer.from([0xff, 0xd8, 0xff, 0xd9]), [422, 'photo_broken']],
  ['a PNG with broken pixels', () => Buffer.from(picture('palette.png')).fill(7, 120, 300), [422, 'photo_broken']],
  ['60 megapixels in 8 kB', () => picture('bomb.png'), [422, 'photo_too_large']],
  ['4 MB', () => Buffer.concat([picture('grey.jpg'), Buffer.alloc(4_000_000)]), [413, 'body_too_large']],
  ['an empty body', () => new Uint8Array(), [422, 'photo_broken']],
];

async function counted(): Promise<unknown[]> {
  return (await env.DB.prepare("select * from rate_counters where subject like 'photo:%'").all()).results;
}

test.each(REFUSED)(
  'a photo upload of %s is refused, stores nothing and does not count towards the limits',
  async (_what, bytes, error) => {
    const everything = async () => [
      await objects(),
      await rows('photos'),
      await rows('photo_leftovers'),
      await counted(),
    ];
    const before = await everything();
    expect(await errorOf(await sendPhoto(post.id, author, bytes()))).toEqual(error);
    expect(await everything()).toEqual(before);
  },
);

test('data appended to an uploaded picture file is removed', async () => {
  const sent = Buffer.concat([picture('progressive.jpg'), Buffer.from('<script>alert(1)</script>PK\x03\x04')]);
  const { url } = await (await sendPhoto(post.id, author, sent)).json<Photo>();
  expect(Buffer.from(await bytesAt(url)).includes('script')).toBe(false);
});

test('an upload needs one of three content types, and the picture’s real format is detected from the bytes', async () => {
  const gif = await sendPhoto(post.id, author, picture('grey.jpg'), { type: 'image/gif' });
  expect(await errorOf(gif)).toEqual([415, 'unsupported_media_type']);
  expect((await sendPhoto(post.id, author, picture('palette.png'), { type: 'image/webp' })).status).toBe(201);
});

test('a post can have at most four photos, even if uploaded concurrently, and all posts of a person together at most 200', async () => {
  for (let count = 0; count < 3; count++) await newPhoto(post.id, author);
  const two = await Promise.all([1, 2].map(() => sendPhoto(post.id, author, picture('grey.jpg'))));
  expect(two.map(({ status }) => status).sort()).toEqual([201, 409]);
  const before = await objects();
  expect(await errorOf(await sendPhoto(post.id, author, picture('grey.jpg')))).toEqual([409, 'too_many_photos']);
  expect(await photosOf()).toHaveLength(4);
  expect([await objects(), await rows('photo_leftovers')]).toEqual([before, []]);
  const [{ id } = { id: '' }] = await photosOf();
  await call('DELETE', `/api/posts/${post.id}/photos/${id}`, undefined, author);
  await env.DB.prepare(
    `insert into photos (id, post_id, author_id, position, width, height, alt, has_og, created_at)
     with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ?)
     select 'photo-' || n, ?, ?, 0, 1, 1, '', 0, 0 from numbers`,
  )
    .bind(PHOTOS_OF_PERSON_MAX - 3, (await newPost(author)).id, author.id)
    .run();
  expect(await errorOf(await sendPhoto(post.id, author, picture('grey.jpg')))).toEqual([409, 'too_many_photos']);
});

test('a person uploads at most twenty photos a day', async () => {
  await newPhoto(post.id, author);
  await env.DB.prepare("update rate_counters set count = 20 where subject like 'photo:%'").run();
  const answer = await sendPhoto(post.id, author, picture('grey.jpg'));
  expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0);
  expect(await errorOf(answer)).toEqual([429, 'too_many_requests']);
  // The update above has changed the upload counters of all people, so the test deletes these counters.
  await env.DB.prepare("delete from rate_counters where subject like 'photo:%'").run();
});

test('a person can attempt a hundred photo uploads a day, and failed attempts count too', async () => {
  await newPhoto(post.id, author);
  const triedSoFar = (count: number) =>
    env.DB.prepare("update rate_counters set count = ? where subject like 'photo_try:%'").bind(count).run();
  await triedSoFar(98);
  // A post that accepts no photos, such as one about a document, refuses the upload.
  const { id } = await newPost(author, { kind: 'document' });
  expect((await sendPhoto(id, author, picture('grey.jpg'))).status).toBe(409);
  expect(await errorOf(await sendPhoto(post.id, author, picture('grey.jpg').slice(0, 90)))).toEqual([
    422,
    'photo_broken',
  ]);
  const three = await Promise.all([1, 2, 3].map(() => sendPhoto(post.id, author, picture('grey.jpg'))));
  expect(three.map(({ status }) => status).sort()).toEqual([201, 429, 429]);
  await triedSoFar(99);
  expect((await sendPhoto(post.id, author, picture('grey.jpg'))).status).toBe(201);
});

test('only a post’s author can add a photo to it, and the post must exist', async () => {
  const other = await newPerson();
  expect(await errorOf(await sendPhoto(post.id, other, picture('grey.jpg')))).toEqual([403, 'forbidden']);
  expect(await errorOf(await sendPhoto(post.id, {}, picture('grey.jpg')))).toEqual([401, 'unauthorized']);
  expect(await errorOf(await sendPhoto('haipo', author, picture('grey.jpg')))).toEqual([404, 'post_not_found']);
});

test('a post about a document accepts no photos', async () => {
  const { id } = await newPost(author, { kind: 'document' });
  expect(await errorOf(await sendPhoto(id, author, picture('grey.jpg')))).toEqual([409, 'no_photo_of_documents']);
});

test('uploads with the same idempotency key create one photo, even concurrently, and all return the first result', async () => {
  const headers = { 'Idempotency-Key': 'picha-1' };
  const send = (name = 'grey.jpg') => sendPhoto(post.id, { ...author, headers }, picture(name), { alt: 'Simu' });
  const ids = await Promise.all((await Promise.all([send(), send()])).map(async (one) => (await one.json<Photo>()).id));
  expect(ids[0]).toBe(ids[1]);
  const again = await send();
  expect([again.status, (await again.json<Photo>()).id]).toEqual([201, ids[0]]);
  expect(await photosOf()).toHaveLength(1);
  expect(await rows('photo_leftovers')).toEqual([]);
  expect(await errorOf(await send('progressive.jpg'))).toEqual([422, 'idempotency_mismatch']);
  expect((await call('DELETE', `/api/posts/${post.id}/photos/${ids[0]}`, undefined, author)).status).toBe(204);
  expect(await errorOf(await send())).toEqual([409, 'idempotency_conflict']);
});

test('a post’s photos stay in order, and the author can change their order and descriptions', async () => {
  const names = ['a', 'b', 'c', 'd'];
  const photos: Photo[] = [];
  for (const alt of names) photos.push(await newPhoto(post.id, author, 'grey.jpg', alt));
  const change = (index: number, body: object, person = author) =>
    call('PATCH', `/api/posts/${post.id}/photos/${photos[index]?.id}`, body, person);
  const order = async () => (await photosOf()).map(({ alt }) => alt).join('');
  expect(await order()).toBe('abcd');
  for (const [index, position, expected] of [
    [3, 0, 'dabc'],
    [3, 3, 'abcd'],
    [1, 2, 'acbd'],
    [1, 2, 'acbd'],
    [0, 3, 'cbda'],
    [0, 0, 'acbd'],
  ] as const) {
    expect((await change(index, { position })).status).toBe(200);
    expect(await order()).toBe(expected);
  }
  const said = await change(1, { alt: 'Simu nyeusi', position: 0 });
  expect(await said.json<Photo>()).toMatchObject({ id: photos[1]?.id, alt: 'Simu nyeusi' });
  expect((await photosOf()).map(({ alt }) => alt)).toEqual(['Simu nyeusi', 'a', 'c', 'd']);
  expect(await errorOf(await change(1, { alt: 'x', position: 4 }))).toEqual([422, 'validation_failed']);
  expect(await errorOf(await change(1, { position: -1 }))).toEqual([422, 'validation_failed']);
  expect(await errorOf(await change(1, { alt: 'x'.repeat(201) }))).toEqual([422, 'validation_failed']);
  expect(await errorOf(await change(1, { alt: 'x' }, await newPerson()))).toEqual([403, 'forbidden']);
  expect(await (await change(1, { alt: null })).json<Photo>()).toMatchObject({ alt: '' });
  await call('DELETE', `/api/posts/${post.id}/photos/${photos[0]?.id}`, undefined, author);
  expect((await photosOf()).map(({ alt }) => alt)).toEqual(['', 'c', 'd']);
  expect(
    (await rows('photos'))
      .filter(({ post_id }) => post_id === post.id)
      .map(({ position }) => position)
      .sort(),
  ).toEqual([0, 1, 2]);
});

test('a photo can be changed and deleted only through the URL of its own post', async () => {
  const other = await newPostWithPhoto(author);
  const path = `/api/posts/${post.id}/photos/${other.photo.id}`;
  expect(await errorOf(await call('PATCH', path, { alt: 'x' }, author))).toEqual([404, 'photo_not_found']);
  expect(await errorOf(await call('DELETE', path, undefined, author))).toEqual([404, 'photo_not_found']);
  expect(await photosOf(other.post.id)).toEqual([other.photo]);
});

test('if the image service refuses a picture because its own limit is reached, the upload fails with a temporary error', async () => {
  const code = Object.assign(new Error('limit'), { code: 9422 });
  const IMAGES = { info: () => Promise.reject(code) };
  await expect(makeRenditions(IMAGES as unknown as ImagesBinding, picture('grey.jpg'))).rejects.toMatchObject({
    code: 'unavailable',
    retryAfterSeconds: 3600,
  });
});
