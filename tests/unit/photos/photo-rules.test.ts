import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { HOUR_MS } from '#contract/durations.ts';
import { exif, TRACES, withSegments } from '#tests/support/pictures/pictures.ts';
import { canSeePhotos, photoAudienceOf } from '#worker/conditions/posts.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { makeRenditions } from '#worker/photos/make-renditions.ts';
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

test('a public photo is returned with its size, its description and URLs without a signature', () => {
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
  ['a document are for their author', { kind: 'document', community_id: 'c' }, 'author'],
  ['a hidden post are for people who see the post', { hidden_by: 1, community_id: 'c' }, 'who sees it all the same'],
  ['a resting post are for people who see the post', { away_since: 1 }, 'who sees it all the same'],
  ['a community’s post are for its members', { community_id: 'c' }, 'community c'],
  ['an open public post about a bag are for everybody', {}, null],
])(
  'a post’s kind, state and community decide who may see its photos: the photos of %s',
  (_what, overrides, audience) => {
    expect(photoAudienceOf(somePost(overrides))).toBe(audience);
  },
);

test('the signed URL of a private photo is valid for one to two hours, and does not change within an hour', () => {
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

test('presentPhotos redacts the description of every photo with the given function', () => {
  const alts = present(null, (text) => text.toUpperCase()).map(({ alt }) => alt);
  expect(alts).toEqual(['PICHA A', 'PICHA B']);
});

test('only the author of a post about a document sees its photos', () => {
  const document = somePost({ kind: 'document' });
  expect([AUTHOR, READER, null].map((viewer) => canSeePhotos(document, viewer ?? null))).toEqual([true, false, false]);
  expect([AUTHOR, READER, null].map((viewer) => canSeePhotos(somePost(), viewer ?? null))).toEqual([true, true, true]);
});

test('the preview picture of a shared post is its first photo, if everybody may see this photo', () => {
  expect(findOgPicture(PHOTOS, null)).toBe('/photos/a-og.jpg');
  expect(findOgPicture(JSON.stringify([photo('a', 0), photo('b')]), null)).toBeNull();
  expect(findOgPicture('[]', null)).toBeNull();
  expect(findOgPicture(PHOTOS, 'community c')).toBeNull();
});

test('a photo is stored as a WebP picture, a WebP thumbnail and a JPEG picture for link previews', () => {
  expect(fileNamesOf('a')).toEqual(['a.webp', 'a-thumbnail.webp', 'a-og.jpg']);
  expect(Object.values(RENDITIONS).map(({ type }) => type)).toEqual(['image/webp', 'image/webp', 'image/jpeg']);
});

const FOLDER = join(import.meta.dirname, '../../support/pictures');
const read = (name: string) => new Uint8Array(readFileSync(join(FOLDER, name)));
const has = (bytes: Uint8Array, text: string) => Buffer.from(bytes).includes(text, 0, 'latin1');

/** Builds a chunk of a WebP file. */
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

test('each EXIF orientation of a photo is read, in either byte order', () => {
  for (const value of [1, 2, 3, 4, 5, 6, 7, 8])
    expect([value, readOrientation(exif(value)), readOrientation(exif(value, true))]).toEqual([value, value, value]);
});

test('a photo without a valid EXIF orientation counts as upright, even if the file ends early', () => {
  for (const value of [0, 9, 65_535]) expect(readOrientation(exif(value))).toBe(1);
  const whole = exif(6);
  for (let length = 0; length < whole.length; length++)
    expect([1, 6]).toContain(readOrientation(whole.subarray(0, length)));
  expect(readOrientation(new Uint8Array(200).fill(0xff))).toBe(1);
});

test('from a JPEG photo all metadata is removed; its pixels and colours are unchanged', () => {
  const plain = read('progressive.jpg');
  const { bytes, orientation } = stripPicture(withSegments(plain, { orientation: 8 }));
  expect(orientation).toBe(8);
  expect(bytes).toEqual(plain);
  const phone = stripPicture(read('phone.jpg'));
  expect(phone.orientation).toBe(6);
  for (const trace of Object.values(TRACES)) expect([trace, has(phone.bytes, trace)]).toEqual([trace, false]);
  expect(has(phone.bytes, 'ICC_PROFILE')).toBe(true);
});

test('from a PNG photo all metadata is removed; its pixels and colours are unchanged', () => {
  const plain = read('palette.png');
  const [start, end] = [plain.subarray(0, 33), plain.subarray(33)];
  const texts = ['tEXt', 'iTXt', 'tIME', 'acTL'].map((name) => pngChunk(name, Buffer.from(TRACES.place)));
  const behind = Buffer.from(TRACES.comment);
  const { bytes, orientation } = stripPicture(concat([start, pngChunk('eXIf', exif(3)), ...texts, end, behind]));
  expect(orientation).toBe(3);
  for (const trace of Object.values(TRACES)) expect([trace, has(bytes, trace)]).toEqual([trace, false]);
  expect(stripPicture(plain)).toEqual({ bytes, orientation: 1 });
});

test('from a WebP photo all metadata is removed; its pixels and colours are unchanged', () => {
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
  'the file %s is reported as broken if it is cut off at any position',
  (name) => {
    const whole = stripPicture(read(name)).bytes;
    for (let length = 0; length < whole.length; length++) {
      const cut = whole.subarray(0, length);
      expect(() => stripPicture(cut), `${length} bytes`).toThrow(AppError);
    }
    expect(stripPicture(whole).bytes).toEqual(whole);
  },
);

test('parseFileName returns the photo’s id and rendition (photo, thumbnail or og) for a valid file name, and otherwise null', () => {
  const photoId = crypto.randomUUID();
  expect(parseFileName(`${photoId}.webp`)).toEqual({ photoId, rendition: 'photo' });
  expect(parseFileName(`${photoId}-thumbnail.webp`)).toEqual({ photoId, rendition: 'thumbnail' });
  expect(parseFileName(`${photoId}-og.jpg`)).toEqual({ photoId, rendition: 'og' });
  for (const name of ['', photoId, `${photoId}.jpg`, `${photoId}-x.webp`, `../${photoId}.webp`, `${photoId}.webp.exe`])
    expect([name, parseFileName(name)]).toEqual([name, null]);
});

describe('making the renditions of a photo', () => {
  const PICTURE = new Uint8Array(readFileSync('tests/support/pictures/grey.jpg'));
  const SIZE = { format: 'image/jpeg', fileSize: 1, width: 640, height: 480 };

  /** `Transform`, `Output` and `Step` describe a request to Cloudflare's image service. */
  type Transform = { width?: number; height?: number; rotate?: number; flip?: string; fit?: string };
  type Output = { format: string; quality: number; anim: boolean; background?: string };
  type Step = { source: Uint8Array; transform?: Transform; output?: Output };
  /** Returns the file that the image service makes in a step, or throws the service's error. */
  type Make = (step: Required<Step>, index: number) => Uint8Array;

  function fileOf(begin: string, length = 100): Uint8Array {
    const file = Buffer.alloc(length);
    file.write(begin, 'latin1');
    return new Uint8Array(file);
  }

  const WEBP = 'RIFF';
  const JPEG = '\xff\xd8\xff';
  const makeSmall: Make = ({ output }) => fileOf(output.format === 'image/jpeg' ? JPEG : WEBP);

  /** Returns a stand-in for Cloudflare's image service. `steps` contains the requests that the stand-in received. */
  function standInForImages(info: object = SIZE, make: Make = makeSmall) {
    const steps: Required<Step>[] = [];
    const input = (stream: ReadableStream<Uint8Array>) => {
      const step: Step = { source: new Uint8Array() };
      const transformer = {
        transform(transform: Transform) {
          step.transform = transform;
          return transformer;
        },
        async output(output: Output) {
          step.source = new Uint8Array(await new Response(stream).arrayBuffer());
          const whole = { transform: {}, ...step, output };
          steps.push(whole);
          const file = make(whole, steps.length - 1);
          return { response: () => new Response(file as Uint8Array<ArrayBuffer>) };
        },
      };
      return transformer;
    };
    return { steps, images: { info: async () => info, input } as never };
  }

  const fails = (error: unknown): Make => {
    return () => {
      throw error;
    };
  };
  const withCode = (code: number) => Object.assign(new Error('no picture'), { code });

  test.each<[orientation: number, turn: Transform, width: number, height: number]>([
    [1, {}, 640, 480],
    [2, { flip: 'h' }, 640, 480],
    [3, { rotate: 180 }, 640, 480],
    [4, { flip: 'v' }, 640, 480],
    [5, { flip: 'h', rotate: 270 }, 480, 640],
    [6, { rotate: 90 }, 480, 640],
    [7, { flip: 'h', rotate: 90 }, 480, 640],
    [8, { rotate: 270 }, 480, 640],
  ])(
    'a photo with the EXIF orientation %i is stored upright, with the width and height of the upright photo',
    async (orientation, turn, width, height) => {
      const { images, steps } = standInForImages();
      const made = await makeRenditions(images, withSegments(PICTURE, { orientation }));
      expect(made).toMatchObject({ width, height });
      expect(steps[0]).toMatchObject({ source: PICTURE, transform: { ...turn, width, height, fit: 'squeeze' } });
      expect(Object.keys(steps[0]?.transform ?? {})).toHaveLength(Object.keys(turn).length + 3);
    },
  );

  test('an animated photo gets a thumbnail and a JPEG picture without animation', async () => {
    const { images, steps } = standInForImages();
    const { files } = await makeRenditions(images, PICTURE);
    expect(files).toEqual({ photo: fileOf(WEBP), thumbnail: fileOf(WEBP), og: fileOf(JPEG) });
    expect(steps.map(({ transform }) => transform)).toEqual([
      { width: 640, height: 480, fit: 'squeeze' },
      { width: 320, height: 240, fit: 'squeeze' },
      { width: 1200, height: 630, fit: 'cover' },
    ]);
    expect(steps.map(({ output }) => output)).toEqual([
      { format: 'image/webp', quality: 80, anim: false },
      { format: 'image/webp', quality: 70, anim: false },
      { format: 'image/jpeg', quality: 75, anim: false, background: '#ffffff' },
    ]);
  });

  test.each([
    [4000, 3000, 1280, 960],
    [3000, 4000, 960, 1280],
    [1280, 1280, 1280, 1280],
    [2, 4000, 1, 1280],
    [4000, 1, 1280, 1],
    [1, 1, 1, 1],
  ])('a photo of %i by %i pixels is stored with %i by %i pixels', async (width, height, keptWidth, keptHeight) => {
    const { images } = standInForImages({ ...SIZE, width, height });
    expect(await makeRenditions(images, PICTURE)).toMatchObject({ width: keptWidth, height: keptHeight });
  });

  test.each([
    [[12_000], [320]],
    [
      [12_001, 12_000],
      [320, 256],
    ],
    [
      [20_000, 19_000, 18_000, 17_000, 16_000],
      [320, 256, 192, 128, 96],
    ],
  ])(
    'a thumbnail over 12,000 bytes is made again narrower, down to 96 pixels (bytes of each try: %j, width of each try: %j)',
    async (bytes, sides) => {
      const { images, steps } = standInForImages(SIZE, (step, index) =>
        step.output.format === 'image/jpeg' ? fileOf(JPEG) : fileOf(WEBP, index === 0 ? 50_000 : bytes[index - 1]),
      );
      const { files } = await makeRenditions(images, PICTURE);
      expect(steps.slice(1, -1).map(({ transform }) => transform.width)).toEqual(sides);
      expect(files.thumbnail).toHaveLength(bytes.at(-1) ?? 0);
    },
  );

  test.each([
    [[250_000], 250_000, ['photo']],
    [[250_001, 250_000], 250_000, ['photo', 'thumbnail']],
    [[250_001, 250_001], undefined, ['photo', 'thumbnail']],
  ])(
    'a preview picture over 250,000 bytes is made again from the thumbnail, and not stored if still over: bytes made %j, bytes stored %j, made from %j',
    async (bytes, kept, sources) => {
      let shared = 0;
      const { images, steps } = standInForImages(SIZE, ({ output }, index) =>
        output.format === 'image/jpeg' ? fileOf(JPEG, bytes[shared++]) : fileOf(WEBP, index === 0 ? 900 : 300),
      );
      const { files } = await makeRenditions(images, PICTURE);
      expect(files.og?.length).toBe(kept);
      expect(steps.slice(2).map(({ source }) => (source.length === 900 ? 'photo' : 'thumbnail'))).toEqual(sources);
    },
  );

  test('a photo of up to forty megapixels is accepted, and a photo whose size is unknown is refused', async () => {
    const make = (info: object) => makeRenditions(standInForImages(info).images, PICTURE);
    expect(await make({ ...SIZE, width: 8_000, height: 5_000 })).toMatchObject({ width: 1280, height: 800 });
    await expect(make({ ...SIZE, width: 40_000_001, height: 1 })).rejects.toMatchObject({ code: 'photo_too_large' });
    await expect(make({ format: 'image/svg+xml' })).rejects.toMatchObject({ code: 'unsupported_media_type' });
  });

  test.each<[what: string, error: unknown, expected: object]>([
    ['too many pixels', withCode(9413), { code: 'photo_too_large' }],
    ['an unreadable picture', withCode(9520), { code: 'photo_broken' }],
    ...[9402, 9422, 9424, 9432, 9516, 9517, 9518, 9522, 9524].map((code): [string, unknown, object] => [
      `its error ${code}`,
      withCode(code),
      { code: 'unavailable', retryAfterSeconds: 3600 },
    ]),
    ['a broken connection', new Error('broken'), { code: 'unavailable', retryAfterSeconds: 60 }],
    ['a failure without an error object', 'broken', { code: 'unavailable', retryAfterSeconds: 60 }],
  ])('an upload fails with the correct error code if the image service reports %s', async (_what, error, expected) => {
    await expect(makeRenditions(standInForImages(SIZE, fails(error)).images, PICTURE)).rejects.toMatchObject(expected);
  });

  test.each([0, 1, 2])(
    'an upload is refused if the image service returns picture number %i in another format than requested',
    async (wrong) => {
      const make: Make = (step, index) =>
        index === wrong ? fileOf(step.output.format === 'image/jpeg' ? WEBP : JPEG) : makeSmall(step, index);
      const making = makeRenditions(standInForImages(SIZE, make).images, PICTURE);
      await expect(making).rejects.toMatchObject({ code: 'unavailable' });
    },
  );
});
