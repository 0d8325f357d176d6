import { expect, onTestFinished, test, vi } from 'vitest';
import { PHOTO_MAX_SIDE_PX } from '#contract/limits.ts';
import { aPicture, stubCanvas } from '#tests/web/support/photos.ts';
import { shrinkPhoto } from '#web/photos/shrink-photo.ts';

const MAX = PHOTO_MAX_SIDE_PX;

test.each([
  ['a large one is as wide as one is kept', { width: 4 * MAX, height: 3 * MAX }, [MAX, 0.75 * MAX]],
  ['one on end is as high', { width: 3 * MAX, height: 4 * MAX }, [0.75 * MAX, MAX]],
  ['a small one stays as it is', { width: 300, height: 200 }, [300, 200]],
  ['a line is still there', { width: 100 * MAX, height: 3 }, [MAX, 1]],
  ['so is one on end', { width: 3, height: 100 * MAX }, [1, MAX]],
])('a picture becomes a JPEG on white: %s', async (_case, size, [width, height]) => {
  const { seen } = stubCanvas({ size });
  expect(await shrinkPhoto(aPicture())).toMatchObject({ type: 'image/jpeg' });
  expect(seen.drawn).toEqual([
    ['fill', '#fff', 0, 0, width, height],
    ['draw', 'high', 0, 0, width, height],
  ]);
  expect(seen.made).toEqual([{ width, height, type: 'image/jpeg', quality: 0.8 }]);
  expect(seen.addresses).toEqual([]);
});

test.each([
  ['is no picture', { decode: () => Promise.reject(new DOMException('', 'EncodingError')) }],
  ['is too large for this phone', { hasMemory: false }],
])('a picture that %s is given up, and its URL is released', async (_case, browser) => {
  const { seen } = stubCanvas(browser);
  expect(await shrinkPhoto(aPicture())).toBeNull();
  expect(seen.made).toEqual([]);
  expect(seen.addresses).toEqual([]);
});

type Told = { onmessage?: (event: unknown) => void; onerror?: () => void };
type Answer = (worker: Told) => void;

/** A browser that can draw in a worker, whose workers answer with this. @returns the started workers. */
function stubWorkers(answer: Answer) {
  const started: { address: string; type: string | undefined; given: unknown[]; isEnded: boolean }[] = [];
  class AnsweringWorker {
    declare onmessage: (event: unknown) => void;
    declare onerror: () => void;
    readonly #note: (typeof started)[number];
    constructor(address: URL | string, options?: WorkerOptions) {
      this.#note = { address: String(address), type: options?.type, given: [], isEnded: false };
      started.push(this.#note);
    }
    postMessage(data: unknown) {
      this.#note.given.push(data);
      queueMicrotask(() => answer(this));
    }
    terminate() {
      this.#note.isEnded = true;
    }
  }
  for (const name of ['OffscreenCanvas', 'createImageBitmap']) vi.stubGlobal(name, class {});
  vi.stubGlobal('Worker', AnsweringWorker);
  return started;
}

test('if a worker can draw, the page waits for its picture and ends the worker', async () => {
  const { seen } = stubCanvas();
  const small = new Blob(['from the worker'], { type: 'image/jpeg' });
  const started = stubWorkers((worker) => worker.onmessage?.({ data: small }));
  const picture = aPicture();
  expect(await shrinkPhoto(picture)).toBe(small);
  expect(started).toEqual([
    { address: expect.stringContaining('shrink-worker'), type: 'module', given: [picture], isEnded: true },
  ]);
  expect(seen.made).toEqual([]);
});

test.each<[string, Answer]>([
  ['cannot read it', (worker) => worker.onmessage?.({ data: null })],
  ['does not load', (worker) => worker.onerror?.()],
])('if the worker %s, the page draws the picture itself', async (_case, answer) => {
  const { seen } = stubCanvas();
  const started = stubWorkers(answer);
  expect(await shrinkPhoto(aPicture())).toMatchObject({ type: 'image/jpeg' });
  expect(seen.made).toHaveLength(1);
  expect(started.map(({ isEnded }) => isEnded)).toEqual([true]);
});

test.each(['Worker', 'OffscreenCanvas', 'createImageBitmap'])(
  'a browser without %s draws on the page',
  async (name) => {
    const { seen } = stubCanvas();
    const started = stubWorkers((worker) => worker.onmessage?.({ data: new Blob() }));
    Reflect.deleteProperty(globalThis, name);
    await shrinkPhoto(aPicture());
    expect(started).toEqual([]);
    expect(seen.made).toHaveLength(1);
  },
);

/** Loads the worker's code with a bitmap twice as large as the stored size. @returns its drawing and its answer. */
async function loadWorker(readBitmap: (file: unknown, options: unknown) => Promise<unknown>) {
  const { seen, context } = stubCanvas();
  const answers: unknown[] = [];
  vi.stubGlobal('createImageBitmap', readBitmap);
  vi.stubGlobal(
    'OffscreenCanvas',
    class {
      readonly size: object;
      constructor(width: number, height: number) {
        this.size = { width, height };
      }
      getContext = () => context;
      convertToBlob = async (options: object) => ({ ...this.size, ...options });
    },
  );
  const told = vi.spyOn(self, 'postMessage').mockImplementation((answer: unknown) => void answers.push(answer));
  vi.resetModules();
  await import('#web/photos/shrink-worker.ts');
  const give = self.onmessage as unknown as (event: object) => Promise<void>;
  onTestFinished(() => {
    told.mockRestore();
    self.onmessage = null;
  });
  return { seen, answers, give };
}

test('the worker turns the picture upright, shrinks it, and frees the memory', async () => {
  const close = vi.fn();
  const read: unknown[] = [];
  const { seen, answers, give } = await loadWorker(async (...asked) => {
    read.push(...asked);
    return { width: 2 * MAX, height: MAX, close };
  });
  const picture = aPicture();
  await give({ data: picture });
  expect(read).toEqual([picture, { imageOrientation: 'from-image' }]);
  expect(answers).toEqual([{ width: MAX, height: MAX / 2, type: 'image/jpeg', quality: 0.8 }]);
  expect(seen.drawn.at(-1)).toEqual(['draw', 'high', 0, 0, MAX, MAX / 2]);
  expect(close).toHaveBeenCalledOnce();
});

test('the worker reports a picture that it cannot read', async () => {
  const { answers, give } = await loadWorker(() => Promise.reject(new DOMException('', 'InvalidStateError')));
  await give({ data: aPicture() });
  expect(answers).toEqual([null]);
});
