import '#tests/web/support/setup.ts';
import { act, render, screen, waitFor } from '@testing-library/react';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { PHOTO_MAX_SIDE_PX } from '#contract/limits.ts';
import { aPicture, aWaitingPhoto, stubCanvas, stubPhotoStorage } from '#tests/web/support/photos.ts';
import { signInAs } from '#web/api/session.ts';
import type { WaitingPhoto } from '#web/offline/photo-queue.ts';
import { shrinkPhoto } from '#web/photos/shrink-photo.ts';

function Photos({ usePhotos }: { usePhotos: () => WaitingPhoto[] | null }) {
  const photos = usePhotos();
  return <p>{photos?.map(({ alt }) => alt).join(', ') ?? 'A moment'}</p>;
}

describe('photos that wait to be sent', () => {
  /** Simulates a newly opened tab: loads the modules for waiting photos again, without anything in memory. */
  async function openTab() {
    vi.resetModules();
    const here = await import('#web/offline/photos-here.ts');
    return { ...here, ...(await import('#web/offline/photo-queue.ts')) };
  }

  const ids = (photos: WaitingPhoto[]) => photos.map(({ id }) => id);

  test('are stored in the user’s order until they are deleted, even if the page closes', async () => {
    stubPhotoStorage();
    const before = await openTab();
    expect(before.hasPhotos()).toBe(false);
    const [first, second, third] = [aWaitingPhoto(), aWaitingPhoto({ alt: 'Nyuma', refusal: 'No.' }), aWaitingPhoto()];
    await before.keepPhotos([third, first]);
    await before.keepPhotos([second]);
    const after = await openTab();
    expect(after.hasPhotos()).toBe(true);
    const photos = await after.readPhotos();
    expect(photos).toEqual([first, second, third]);
    expect(photos.every(after.isKept)).toBe(true);
    await after.forgetPhotos(({ id }) => id !== second.id);
    expect(ids(await after.readPhotos())).toEqual([second.id]);
    expect(after.hasPhotos()).toBe(true);
    await after.forgetPhotos(() => true);
    expect((await openTab()).hasPhotos()).toBe(false);
    expect(await before.readPhotos()).toEqual([]);
  });

  test('are written to and read from an IndexedDB database that the tab opens only once', async () => {
    const storage = stubPhotoStorage();
    const { keepPhotos, readPhotos } = await openTab();
    await keepPhotos([aWaitingPhoto()]);
    await readPhotos();
    expect(storage.openings).toBe(1);
  });

  test('changePhotos() changes only the photos that the filter selects, and deleted photos stay deleted', async () => {
    stubPhotoStorage();
    const { keepPhotos, changePhotos, forgetPhotos, readPhotos } = await openTab();
    const [one, two, gone] = [aWaitingPhoto(), aWaitingPhoto(), aWaitingPhoto()];
    await keepPhotos([one, two, gone]);
    await forgetPhotos(({ id }) => id === gone.id);
    await changePhotos(({ id }) => id !== two.id, { refusal: 'No.' });
    expect(await readPhotos()).toEqual([{ ...one, refusal: 'No.' }, two]);
  });

  test('move with their post from the draft to the outbox, and back to the draft', async () => {
    stubPhotoStorage();
    const { keepPhotos, movePhotos, readPhotos, inOutbox, atPost } = await openTab();
    (await import('#web/api/session.ts')).signInAs({ token: 'a-token', userId: 'asha' });
    const draft = 'postDraft:asha:new';
    await keepPhotos([aWaitingPhoto({ place: draft, userId: null }), aWaitingPhoto({ place: 'else', userId: null })]);
    const places = async () => (await readPhotos()).map(({ place, userId, refusal }) => [place, userId, refusal]);
    await movePhotos(draft, inOutbox('a-key'));
    expect(await places()).toEqual([
      ['outbox:a-key', 'asha', null],
      ['else', null, null],
    ]);
    await movePhotos(inOutbox('a-key'), atPost('the-post'), 'A document.');
    expect((await places())[0]).toEqual(['post:the-post', 'asha', 'A document.']);
    await movePhotos(atPost('the-post'), draft);
    expect((await places())[0]).toEqual([draft, null, null]);
  });

  test('are held in memory until the page closes if the storage is full', async () => {
    const storage = stubPhotoStorage();
    const { keepPhotos, changePhotos, forgetPhotos, readPhotos, isKept, hasPhotos } = await openTab();
    const [kept, unkept] = [aWaitingPhoto(), aWaitingPhoto()];
    await keepPhotos([kept]);
    storage.isFull = true;
    await keepPhotos([unkept]);
    expect((await readPhotos()).map((photo) => [photo.id, isKept(photo)])).toEqual([
      [kept.id, true],
      [unkept.id, false],
    ]);
    // The app uses a changed description even if the storage refuses it.
    await changePhotos(({ id }) => id === kept.id, { alt: 'Mbele' });
    expect((await readPhotos()).map(({ alt }) => alt)).toEqual(['Mbele', '']);
    storage.isFull = false;
    await forgetPhotos(({ id }) => id === unkept.id);
    expect(await readPhotos()).toEqual([{ ...kept, alt: 'Mbele' }]);
    await forgetPhotos(() => true);
    expect(hasPhotos()).toBe(false);
    const other = await openTab();
    expect(await other.readPhotos()).toEqual([]);
  });

  test('a photo is stored even if the photo storage failed to open for an earlier photo', async () => {
    const storage = stubPhotoStorage();
    const { keepPhotos, readPhotos, isKept } = await openTab();
    storage.isForbidden = true;
    const [unkept, kept] = [aWaitingPhoto(), aWaitingPhoto()];
    await keepPhotos([unkept]);
    expect(ids(await readPhotos())).toEqual([unkept.id]);
    storage.isForbidden = false;
    await keepPhotos([kept]);
    expect((await readPhotos()).map(isKept)).toEqual([false, true]);
  });

  test('include a picture that is still being shrunk, and the app moves this picture to the outbox after shrinking it', async () => {
    stubPhotoStorage();
    const { takePhotos, keepPhotos, movePhotos, forgetPhotos, readPhotos, hasPhotos } = await openTab();
    const { promise, resolve } = Promise.withResolvers<void>();
    takePhotos(promise.then(() => keepPhotos([aWaitingPhoto({ id: 'late', place: 'a-draft' })])));
    await vi.waitFor(() => expect(hasPhotos()).toBe(true));
    expect(await readPhotos()).toEqual([]);
    const moved = movePhotos('a-draft', 'outbox:a-key');
    resolve();
    await moved;
    expect((await readPhotos()).map(({ place }) => place)).toEqual(['outbox:a-key']);
    takePhotos(Promise.resolve().then(() => keepPhotos([aWaitingPhoto({ id: 'later' })])));
    await forgetPhotos(() => true);
    await vi.waitFor(() => expect(hasPhotos()).toBe(false));
    expect(await readPhotos()).toEqual([]);
  });

  test('no longer include a picture that could not be shrunk', async () => {
    stubPhotoStorage();
    const { takePhotos, hasPhotos } = await openTab();
    const { promise, resolve } = Promise.withResolvers<void>();
    takePhotos(promise);
    await vi.waitFor(() => expect(hasPhotos()).toBe(true));
    resolve();
    await vi.waitFor(() => expect(hasPhotos()).toBe(false));
  });

  test('are shown on a screen, which updates when this or another tab adds or removes a photo', async () => {
    stubPhotoStorage();
    const { keepPhotos, useWaitingPhotos } = await openTab();
    signInAs({ token: 'a-token', userId: 'asha' });
    await keepPhotos([aWaitingPhoto({ place: 'here', alt: 'Mbele' }), aWaitingPhoto({ place: 'else', alt: 'Kando' })]);
    const { unmount } = render(<Photos usePhotos={() => useWaitingPhotos(({ place }) => place === 'here')} />);
    expect(screen.getByText('A moment')).toBeInTheDocument();
    expect(await screen.findByText('Mbele')).toBeInTheDocument();
    await act(() => keepPhotos([aWaitingPhoto({ place: 'here', alt: 'Nyuma' })]));
    expect(await screen.findByText('Mbele, Nyuma')).toBeInTheDocument();
    const other = await openTab();
    await other.forgetPhotos(({ alt }) => alt === 'Mbele');
    expect(screen.getByText('Mbele, Nyuma')).toBeInTheDocument();
    tellOtherTabs('photosHere');
    await waitFor(() => expect(screen.getByText('Nyuma')).toBeInTheDocument());
    unmount();
  });

  test('a listener is called when this or another tab changes the photos, and when the storage is cleared', async () => {
    const { onPhotosChange, notePhotos } = await openTab();
    const heard = vi.fn();
    const stop = onPhotosChange(heard);
    onTestFinished(stop);
    tellOtherTabs('i18nextLng');
    expect(heard).not.toHaveBeenCalled();
    tellOtherTabs('photosHere');
    tellOtherTabs(null);
    expect(heard).toHaveBeenCalledTimes(2);
    notePhotos(1);
    expect(heard).toHaveBeenCalledTimes(3);
    stop();
    tellOtherTabs('photosHere');
    notePhotos(0);
    expect(heard).toHaveBeenCalledTimes(3);
  });

  test('each change writes a new value to the local storage, because only then other tabs get a storage event', async () => {
    const { notePhotos } = await openTab();
    const written = vi.spyOn(Storage.prototype, 'setItem');
    onTestFinished(() => written.mockRestore());
    const clock = vi.spyOn(Date, 'now').mockReturnValueOnce(1).mockReturnValueOnce(2);
    notePhotos(1);
    notePhotos(1);
    clock.mockRestore();
    expect(written.mock.calls).toEqual([
      ['photosHere', '1'],
      ['photosHere', '2'],
    ]);
  });

  /** Fires the event that the browser sends when another tab writes to the local storage. */
  function tellOtherTabs(key: string | null): void {
    act(() => void window.dispatchEvent(new StorageEvent('storage', { key })));
  }
});

describe('shrinking a picture', () => {
  const MAX = PHOTO_MAX_SIDE_PX;

  test.each([
    ['a large picture gets the largest stored width', { width: 4 * MAX, height: 3 * MAX }, [MAX, 0.75 * MAX]],
    ['a large upright picture gets the largest stored height', { width: 3 * MAX, height: 4 * MAX }, [0.75 * MAX, MAX]],
    ['a small picture keeps its size', { width: 300, height: 200 }, [300, 200]],
    ['a very wide and flat picture keeps a height of one pixel', { width: 100 * MAX, height: 3 }, [MAX, 1]],
    ['a very tall and narrow picture keeps a width of one pixel', { width: 3, height: 100 * MAX }, [1, MAX]],
  ])(
    'a picture becomes a JPEG on a white background, not larger than the largest stored size: %s',
    async (_case, size, [width, height]) => {
      const { seen } = stubCanvas({ size });
      expect(await shrinkPhoto(aPicture())).toMatchObject({ type: 'image/jpeg' });
      expect(seen.drawn).toEqual([
        ['fill', '#fff', 0, 0, width, height],
        ['draw', 'high', 0, 0, width, height],
      ]);
      expect(seen.made).toEqual([{ width, height, type: 'image/jpeg', quality: 0.8 }]);
      expect(seen.addresses).toEqual([]);
    },
  );

  test.each([
    ['is no picture', { decode: () => Promise.reject(new DOMException('', 'EncodingError')) }],
    ['is too large for this phone', { hasMemory: false }],
  ])('a file that %s is not used as a photo, and its object URL is revoked', async (_case, browser) => {
    const { seen } = stubCanvas(browser);
    expect(await shrinkPhoto(aPicture())).toBeNull();
    expect(seen.made).toEqual([]);
    expect(seen.addresses).toEqual([]);
  });

  type Told = { onmessage?: (event: unknown) => void; onerror?: () => void };
  type Answer = (worker: Told) => void;

  /** Simulates a browser that can draw in a web worker. `answer` responds to messages. @returns the started workers. */
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

  test('if the browser can draw in a web worker, the worker shrinks the picture, and the page then ends the worker', async () => {
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
    ['cannot read the picture', (worker) => worker.onmessage?.({ data: null })],
    ['does not load', (worker) => worker.onerror?.()],
  ])(
    'if the web worker fails, the page shrinks the picture without the web worker (reason: the web worker %s)',
    async (_case, answer) => {
      const { seen } = stubCanvas();
      const started = stubWorkers(answer);
      expect(await shrinkPhoto(aPicture())).toMatchObject({ type: 'image/jpeg' });
      expect(seen.made).toHaveLength(1);
      expect(started.map(({ isEnded }) => isEnded)).toEqual([true]);
    },
  );

  test.each(['Worker', 'OffscreenCanvas', 'createImageBitmap'])(
    'in a browser without the API %s, the page shrinks the picture without a web worker',
    async (name) => {
      const { seen } = stubCanvas();
      const started = stubWorkers((worker) => worker.onmessage?.({ data: new Blob() }));
      Reflect.deleteProperty(globalThis, name);
      await shrinkPhoto(aPicture());
      expect(started).toEqual([]);
      expect(seen.made).toHaveLength(1);
    },
  );

  /** Loads the web worker's code. @returns its drawings, its answers, and a function that gives it a photo. */
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

  test('the web worker rotates the picture upright, shrinks it, and then frees the picture’s memory', async () => {
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

  test('the web worker reports a picture that it cannot read', async () => {
    const { answers, give } = await loadWorker(() => Promise.reject(new DOMException('', 'InvalidStateError')));
    await give({ data: aPicture() });
    expect(answers).toEqual([null]);
  });
});
