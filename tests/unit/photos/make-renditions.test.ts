import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { withSegments } from '#tests/support/pictures/pictures.ts';
import { makeRenditions } from '#worker/photos/make-renditions.ts';

const PICTURE = new Uint8Array(readFileSync('tests/support/pictures/grey.jpg'));
const SIZE = { format: 'image/jpeg', fileSize: 1, width: 640, height: 480 };

/** A request to the platform's image service. */
type Transform = { width?: number; height?: number; rotate?: number; flip?: string; fit?: string };
type Output = { format: string; quality: number; anim: boolean; background?: string };
type Step = { source: Uint8Array; transform?: Transform; output?: Output };
/** The image service's result for each step: a file, or an error to throw. */
type Make = (step: Required<Step>, index: number) => Uint8Array;

function fileOf(begin: string, length = 100): Uint8Array {
  const file = Buffer.alloc(length);
  file.write(begin, 'latin1');
  return new Uint8Array(file);
}

const WEBP = 'RIFF';
const JPEG = '\xff\xd8\xff';
const makeSmall: Make = ({ output }) => fileOf(output.format === 'image/jpeg' ? JPEG : WEBP);

/** A stand-in for the platform's image service, which records its requests. */
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
  'a picture of orientation %i is rotated, and its width and height swapped',
  async (orientation, turn, width, height) => {
    const { images, steps } = standInForImages();
    const made = await makeRenditions(images, withSegments(PICTURE, { orientation }));
    expect(made).toMatchObject({ width, height });
    expect(steps[0]).toMatchObject({ source: PICTURE, transform: { ...turn, width, height, fit: 'squeeze' } });
    expect(Object.keys(steps[0]?.transform ?? {})).toHaveLength(Object.keys(turn).length + 3);
  },
);

test('a photo gets a thumbnail and a picture to share, both without animation', async () => {
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
])('%i by %i pixels are stored as %i by %i', async (width, height, keptWidth, keptHeight) => {
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
])('a thumbnail of %j bytes is made %j pixels wide', async (bytes, sides) => {
  const { images, steps } = standInForImages(SIZE, (step, index) =>
    step.output.format === 'image/jpeg' ? fileOf(JPEG) : fileOf(WEBP, index === 0 ? 50_000 : bytes[index - 1]),
  );
  const { files } = await makeRenditions(images, PICTURE);
  expect(steps.slice(1, -1).map(({ transform }) => transform.width)).toEqual(sides);
  expect(files.thumbnail).toHaveLength(bytes.at(-1) ?? 0);
});

test.each([
  [[250_000], 250_000, ['photo']],
  [[250_001, 250_000], 250_000, ['photo', 'thumbnail']],
  [[250_001, 250_001], undefined, ['photo', 'thumbnail']],
])('a picture to share of %j bytes leaves one of %s, with a quality of %j', async (bytes, kept, sources) => {
  let shared = 0;
  const { images, steps } = standInForImages(SIZE, ({ output }, index) =>
    output.format === 'image/jpeg' ? fileOf(JPEG, bytes[shared++]) : fileOf(WEBP, index === 0 ? 900 : 300),
  );
  const { files } = await makeRenditions(images, PICTURE);
  expect(files.og?.length).toBe(kept);
  expect(steps.slice(2).map(({ source }) => (source.length === 900 ? 'photo' : 'thumbnail'))).toEqual(sources);
});

test('forty megapixels are accepted but not one pixel more, and a picture without a size is refused', async () => {
  const make = (info: object) => makeRenditions(standInForImages(info).images, PICTURE);
  expect(await make({ ...SIZE, width: 8_000, height: 5_000 })).toMatchObject({ width: 1280, height: 800 });
  await expect(make({ ...SIZE, width: 40_000_001, height: 1 })).rejects.toMatchObject({ code: 'photo_too_large' });
  await expect(make({ format: 'image/svg+xml' })).rejects.toMatchObject({ code: 'unsupported_media_type' });
});

test.each<[what: string, error: unknown, expected: object]>([
  ['too many pixels', withCode(9413), { code: 'photo_too_large' }],
  ['a picture that it cannot read', withCode(9520), { code: 'photo_broken' }],
  ...[9402, 9422, 9424, 9432, 9516, 9517, 9518, 9522, 9524].map((code): [string, unknown, object] => [
    `its own error ${code}`,
    withCode(code),
    { code: 'unavailable', retryAfterSeconds: 3600 },
  ]),
  ['a broken connection', new Error('broken'), { code: 'unavailable', retryAfterSeconds: 60 }],
  ['nothing that is an error', 'broken', { code: 'unavailable', retryAfterSeconds: 60 }],
])('the upload reports that the image service answered with %s', async (_what, error, expected) => {
  await expect(makeRenditions(standInForImages(SIZE, fails(error)).images, PICTURE)).rejects.toMatchObject(expected);
});

test.each([0, 1, 2])('a rendition in another format than requested is refused (%i)', async (wrong) => {
  const make: Make = (step, index) =>
    index === wrong ? fileOf(step.output.format === 'image/jpeg' ? WEBP : JPEG) : makeSmall(step, index);
  const making = makeRenditions(standInForImages(SIZE, make).images, PICTURE);
  await expect(making).rejects.toMatchObject({ code: 'unavailable' });
});
