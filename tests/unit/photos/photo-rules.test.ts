import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HOUR_MS } from '#contract/durations.ts';
import { exif, TRACES, withSegments } from '#tests/support/pictures/pictures.ts';
import { canSeePhotos, photoAudienceOf } from '#worker/conditions/posts.ts';
import { AppError } from '#worker/errors/app-error.ts';
import {
  fileNamesOf,
  findOgPicture,
  isGranted,
  parseFileName,
  presentPhotos,
  RENDITIONS,
  signAddress,
} from '#worker/photos/present-photos.ts';
import { concat, nameAt, readOrientation, stripPicture, viewOf } from '#worker/photos/strip-picture.ts';

const KEY = 'the-key-that-signs-photo-addresses';
const NOW = Date.parse('2026-11-22T12:34:56Z');
const [AUTHOR, READER] = ['author', 'reader'].map((userId) => ({ userId, tokenVersion: 1, sessionId: '' }));

const photo = (id: string, has_og = 1) => ({ id, width: 320, height: 240, alt: `Picha ${id}`, has_og });

const PHOTOS = JSON.stringify([photo('a'), photo('b')]);
const somePost = (overrides: object = {}) => {
  return { author_id: 'author', community_id: null, kind: 'bag', hidden_by: 0, away_since: null, ...overrides };
};
const asTyped = (text: string) => text;

const present = (audience: string | null, redact = asTyped) =>
  presentPhotos(PHOTOS, { audience, key: KEY, redact }, NOW);

test('a public photo has its size, its description and unsigned addresses', () => {
  expect(present(null)).toEqual([
    {
      id: 'a',
      url: '/photos/a.webp',
      thumbnail_url: '/photos/a-thumbnail.webp',
      width: 320,
      height: 240,
      alt: 'Picha a',
    },
    {
      id: 'b',
      url: '/photos/b.webp',
      thumbnail_url: '/photos/b-thumbnail.webp',
      width: 320,
      height: 240,
      alt: 'Picha b',
    },
  ]);
});

test.each([
  ['a document’s, community or not', { kind: 'document', community_id: 'c' }, 'author'],
  ['a hidden post’s', { hidden_by: 1, community_id: 'c' }, 'who sees it all the same'],
  ['a resting post’s', { away_since: 1 }, 'who sees it all the same'],
  ['a community’s', { community_id: 'c' }, 'community c'],
  ['any other', {}, null],
])('%s photos are for %3$s', (_what, overrides, audience) => {
  expect(photoAudienceOf(somePost(overrides))).toBe(audience);
});

test('other photos have signed addresses valid for one to two hours, equal within an hour', () => {
  const [first] = present('community c');
  const granted = { photoId: 'a', audience: 'community c' };
  const query = Object.fromEntries(new URL(first?.url ?? '', 'https://patikana.test').searchParams);
  expect(Object.keys(query)).toEqual(['expires', 'signature']);
  expect(query.expires).toBe(String(Date.parse('2026-11-22T14:00:00Z')));
  expect(first?.thumbnail_url).toBe(first?.url.replace('.webp', '-thumbnail.webp'));
  const hour = Date.parse('2026-11-22T12:00:00Z');
  expect(signAddress(KEY, granted, hour)).toBe(signAddress(KEY, granted, hour + HOUR_MS - 1));
  expect(signAddress(KEY, granted, hour)).not.toBe(signAddress(KEY, granted, hour - 1));
  expect(isGranted(KEY, granted, query, hour + 2 * HOUR_MS - 1)).toBe(true);
  expect(isGranted(KEY, granted, query, hour + 2 * HOUR_MS)).toBe(false);
  for (const other of [
    { ...granted, photoId: 'b' },
    { ...granted, audience: 'author' },
  ])
    expect(isGranted(KEY, other, query, NOW)).toBe(false);
  const later = { ...query, expires: String(Number(query.expires) + 1) };
  for (const changed of [{}, later, { ...query, signature: '' }, { ...query, signature: 'x'.repeat(43) }])
    expect(isGranted(KEY, granted, changed, NOW)).toBe(false);
  expect(isGranted(`${KEY}!`, granted, query, NOW)).toBe(false);
});

test('a description is redacted for its viewer', () => {
  const alts = present(null, (text) => text.toUpperCase()).map(({ alt }) => alt);
  expect(alts).toEqual(['PICHA A', 'PICHA B']);
});

test('only the author sees a document’s photos', () => {
  const document = somePost({ kind: 'document' });
  expect([AUTHOR, READER, null].map((viewer) => canSeePhotos(document, viewer ?? null))).toEqual([true, false, false]);
  expect([AUTHOR, READER, null].map((viewer) => canSeePhotos(somePost(), viewer ?? null))).toEqual([true, true, true]);
});

test('the picture to share is the first photo’s, if everybody may see it', () => {
  expect(findOgPicture(PHOTOS, null)).toBe('/photos/a-og.jpg');
  expect(findOgPicture(JSON.stringify([photo('a', 0), photo('b')]), null)).toBeNull();
  expect(findOgPicture('[]', null)).toBeNull();
  expect(findOgPicture(PHOTOS, 'community c')).toBeNull();
});

test('a photo has three files of the right types', () => {
  expect(fileNamesOf('a')).toEqual(['a.webp', 'a-thumbnail.webp', 'a-og.jpg']);
  expect(Object.values(RENDITIONS).map(({ type }) => type)).toEqual(['image/webp', 'image/webp', 'image/jpeg']);
});

const FOLDER = join(import.meta.dirname, '../../support/pictures');
const read = (name: string) => new Uint8Array(readFileSync(join(FOLDER, name)));
const has = (bytes: Uint8Array, text: string) => Buffer.from(bytes).includes(text, 0, 'latin1');

/** A chunk in WebP's framing. */
function riffChunk(name: string, content: Uint8Array): Uint8Array {
  const head = Buffer.alloc(8);
  head.write(name, 'latin1');
  head.writeUInt32LE(content.length, 4);
  return concat([head, content, new Uint8Array(content.length % 2)]);
}

function pngChunk(name: string, content: Uint8Array): Uint8Array {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(content.length);
  head.write(name, 4, 'latin1');
  return concat([head, content, new Uint8Array(4)]);
}

test('each orientation is read, in either byte order', () => {
  for (const value of [1, 2, 3, 4, 5, 6, 7, 8])
    expect([value, readOrientation(exif(value)), readOrientation(exif(value, true))]).toEqual([value, value, value]);
});

test('a picture with no or an invalid orientation counts as upright, wherever it is cut off', () => {
  for (const value of [0, 9, 65_535]) expect(readOrientation(exif(value))).toBe(1);
  const whole = exif(6);
  for (let length = 0; length < whole.length; length++)
    expect([1, 6]).toContain(readOrientation(whole.subarray(0, length)));
  expect(readOrientation(new Uint8Array(200).fill(0xff))).toBe(1);
});

test('a JPEG keeps its pixels and colours, and nothing else', () => {
  const plain = read('progressive.jpg');
  const { bytes, orientation } = stripPicture(withSegments(plain, { orientation: 8 }));
  expect(orientation).toBe(8);
  expect(bytes).toEqual(plain);
  const phone = stripPicture(read('phone.jpg'));
  expect(phone.orientation).toBe(6);
  for (const trace of Object.values(TRACES)) expect([trace, has(phone.bytes, trace)]).toEqual([trace, false]);
  expect(has(phone.bytes, 'ICC_PROFILE')).toBe(true);
});

test('a PNG keeps its pixels and colours, and nothing else', () => {
  const plain = read('palette.png');
  const [start, end] = [plain.subarray(0, 33), plain.subarray(33)];
  const texts = ['tEXt', 'iTXt', 'tIME', 'acTL'].map((name) => pngChunk(name, Buffer.from(TRACES.place)));
  const behind = Buffer.from(TRACES.comment);
  const { bytes, orientation } = stripPicture(concat([start, pngChunk('eXIf', exif(3)), ...texts, end, behind]));
  expect(orientation).toBe(3);
  for (const trace of Object.values(TRACES)) expect([trace, has(bytes, trace)]).toEqual([trace, false]);
  expect(stripPicture(plain)).toEqual({ bytes, orientation: 1 });
});

test('a WebP keeps its pixels and colours, and nothing else', () => {
  const plain = read('animated.webp');
  const more = [riffChunk('EXIF', exif(5)), riffChunk('XMP ', Buffer.from(TRACES.xmp))];
  const sent = concat([plain, ...more, Buffer.from(TRACES.comment)]);
  viewOf(sent).setUint32(4, plain.length - 8 + more.reduce((size, { length }) => size + length, 0), true);
  expect(nameAt(sent, 12)).toBe('VP8X');
  sent[20] = (sent[20] ?? 0) | 0b1100;
  const { bytes, orientation } = stripPicture(sent);
  expect(orientation).toBe(5);
  expect(bytes).toEqual(plain);
});

test.each(['phone.jpg', 'progressive.jpg', 'palette.png', 'lossless.webp', 'animated.webp'])(
  '%s that is cut off anywhere is reported as broken',
  (name) => {
    const whole = stripPicture(read(name)).bytes;
    for (let length = 0; length < whole.length; length++) {
      const cut = whole.subarray(0, length);
      expect(() => stripPicture(cut), `${length} bytes`).toThrow(AppError);
    }
    expect(stripPicture(whole).bytes).toEqual(whole);
  },
);

test('a file’s name contains the photo’s id and the rendition', () => {
  const photoId = crypto.randomUUID();
  expect(parseFileName(`${photoId}.webp`)).toEqual({ photoId, rendition: 'photo' });
  expect(parseFileName(`${photoId}-thumbnail.webp`)).toEqual({ photoId, rendition: 'thumbnail' });
  expect(parseFileName(`${photoId}-og.jpg`)).toEqual({ photoId, rendition: 'og' });
  for (const name of ['', photoId, `${photoId}.jpg`, `${photoId}-x.webp`, `../${photoId}.webp`, `${photoId}.webp.exe`])
    expect([name, parseFileName(name)]).toEqual([name, null]);
});
