import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exif, TRACES, withSegments } from '#tests/support/pictures/jpeg-segments.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { concat, nameAt, viewOf } from '#worker/photos/picture-bytes.ts';
import { readOrientation } from '#worker/photos/read-orientation.ts';
import { parseFileName } from '#worker/photos/renditions.ts';
import { stripPicture } from '#worker/photos/strip-picture.ts';

const FOLDER = join(import.meta.dirname, '../support/pictures');
const read = (name: string) => new Uint8Array(readFileSync(join(FOLDER, name)));
const has = (bytes: Uint8Array, text: string) => Buffer.from(bytes).includes(text, 0, 'latin1');

/** A chunk as WebP frames it. */
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

test('each orientation is read, in either order of bytes', () => {
  for (const value of [1, 2, 3, 4, 5, 6, 7, 8])
    expect([value, readOrientation(exif(value)), readOrientation(exif(value, true))]).toEqual([value, value, value]);
});

test('what says no orientation, or nonsense, is upright, wherever it breaks off', () => {
  for (const value of [0, 9, 65_535]) expect(readOrientation(exif(value))).toBe(1);
  const whole = exif(6);
  for (let length = 0; length < whole.length; length++)
    expect([1, 6]).toContain(readOrientation(whole.subarray(0, length)));
  expect(readOrientation(new Uint8Array(200).fill(0xff))).toBe(1);
});

test('of a JPEG its pixels and their colours stay, and nothing else', () => {
  const plain = read('progressive.jpg');
  const { bytes, orientation } = stripPicture(withSegments(plain, { orientation: 8 }));
  expect(orientation).toBe(8);
  expect(bytes).toEqual(plain);
  const phone = stripPicture(read('phone.jpg'));
  expect(phone.orientation).toBe(6);
  for (const trace of Object.values(TRACES)) expect([trace, has(phone.bytes, trace)]).toEqual([trace, false]);
  expect(has(phone.bytes, 'ICC_PROFILE')).toBe(true);
});

test('of a PNG its pixels and their colours stay, and nothing else', () => {
  const plain = read('palette.png');
  const [start, end] = [plain.subarray(0, 33), plain.subarray(33)];
  const texts = ['tEXt', 'iTXt', 'tIME', 'acTL'].map((name) => pngChunk(name, Buffer.from(TRACES.place)));
  const behind = Buffer.from(TRACES.comment);
  const { bytes, orientation } = stripPicture(concat([start, pngChunk('eXIf', exif(3)), ...texts, end, behind]));
  expect(orientation).toBe(3);
  for (const trace of Object.values(TRACES)) expect([trace, has(bytes, trace)]).toEqual([trace, false]);
  expect(stripPicture(plain)).toEqual({ bytes, orientation: 1 });
});

test('of a WebP its pixels and their colours stay, and nothing else', () => {
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
  '%s that breaks off anywhere is broken',
  (name) => {
    const whole = stripPicture(read(name)).bytes;
    for (let length = 0; length < whole.length; length++) {
      const cut = whole.subarray(0, length);
      expect(() => stripPicture(cut), `${length} bytes`).toThrow(AppError);
    }
    expect(stripPicture(whole).bytes).toEqual(whole);
  },
);

test('a file’s name says which photo and which of its pictures', () => {
  const photoId = crypto.randomUUID();
  expect(parseFileName(`${photoId}.webp`)).toEqual({ photoId, rendition: 'photo' });
  expect(parseFileName(`${photoId}-thumbnail.webp`)).toEqual({ photoId, rendition: 'thumbnail' });
  expect(parseFileName(`${photoId}-og.jpg`)).toEqual({ photoId, rendition: 'og' });
  for (const name of ['', photoId, `${photoId}.jpg`, `${photoId}-x.webp`, `../${photoId}.webp`, `${photoId}.webp.exe`])
    expect([name, parseFileName(name)]).toEqual([name, null]);
});
