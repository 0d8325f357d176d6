import { HttpResponse, http } from 'msw';
import { onTestFinished, vi } from 'vitest';
import type { Photo } from '#contract/photos.ts';
import type { WaitingPhoto } from '#web/offline/photo-queue.ts';
import { server } from './setup.ts';

let photos = 0;

export function aPhoto(overrides: Partial<Photo> = {}): Photo {
  const id = `photo-${++photos}`;
  const address = `/photos/${id}`;
  return { id, url: address, thumbnail_url: `${address}-small`, width: 1280, height: 960, alt: '', ...overrides };
}

export type SentPhoto = { postId: string; alt: string; key: string | null; type: string | null };

/** Gives these responses to the first uploads, one each, and accepts later uploads. @returns the uploads. */
export function serveUploads(...answers: (() => Response | Promise<Response>)[]): SentPhoto[] {
  const sent: SentPhoto[] = [];
  server.use(
    http.post('*/api/posts/:id/photos', async ({ request, params }) => {
      const answer = answers[sent.length];
      sent.push({
        postId: String(params.id),
        alt: new URL(request.url).searchParams.get('alt') ?? '',
        key: request.headers.get('Idempotency-Key'),
        type: request.headers.get('Content-Type'),
      });
      return ((await answer?.()) ?? HttpResponse.json(aPhoto(), { status: 201 })) as never;
    }),
  );
  return sent;
}

export function aPicture(name = 'picha.jpg'): File {
  return new File(['a picture'], name, { type: 'image/jpeg' });
}

/** A photo that waits on this phone to be uploaded. Its `order` is above that of all photos made earlier. */
export function aWaitingPhoto(overrides: Partial<WaitingPhoto> = {}): WaitingPhoto {
  const order = ++photos;
  const picture = new Blob(['a picture'], { type: 'image/jpeg' });
  const photo = { id: `waiting-${order}`, place: 'post:the-post', userId: 'a-user', order, alt: '', picture };
  return { ...photo, refusal: null, ...overrides };
}

type Size = { width: number; height: number };

/**
 * jsdom neither reads nor draws pictures: simulates pictures of one size, and records what is drawn.
 * @param decode the result of reading a picture, which may wait or fail.
 * @param hasMemory whether a canvas can be allocated.
 */
export function stubCanvas({
  size = { width: 800, height: 600 } as Size,
  decode = async (): Promise<void> => undefined,
  hasMemory = true,
} = {}) {
  const seen = { drawn: [] as unknown[][], made: [] as unknown[], addresses: [] as string[] };
  const context = {
    fillStyle: '',
    imageSmoothingQuality: 'low',
    fillRect: (...area: number[]) => seen.drawn.push(['fill', context.fillStyle, ...area]),
    drawImage: (_picture: unknown, ...area: number[]) =>
      seen.drawn.push(['draw', context.imageSmoothingQuality, ...area]),
  };
  class Picture {
    src = '';
    width = size.width;
    height = size.height;
    decode = decode;
  }
  vi.stubGlobal('Image', Picture);
  const canvas = HTMLCanvasElement.prototype;
  const mends = [
    vi.spyOn(canvas, 'getContext').mockImplementation((() => (hasMemory ? context : null)) as never),
    vi.spyOn(canvas, 'toBlob').mockImplementation(function toBlob(this: HTMLCanvasElement, done, type, quality) {
      seen.made.push({ width: this.width, height: this.height, type, quality });
      done(new Blob(['small'], { type: type ?? '' }));
    }),
  ];
  const { createObjectURL, revokeObjectURL } = URL;
  URL.createObjectURL = () => {
    seen.addresses.push(`blob:${seen.addresses.length}`);
    return seen.addresses.at(-1) as string;
  };
  URL.revokeObjectURL = (address) => void seen.addresses.splice(seen.addresses.indexOf(address), 1);
  onTestFinished(() => {
    Object.assign(URL, { createObjectURL, revokeObjectURL });
    for (const mend of mends) mend.mockRestore();
    vi.unstubAllGlobals();
  });
  return { seen, context };
}

type Row = { id: string };
type Requested = { result: unknown; error: Error | null; onsuccess?: () => void; onerror?: () => void };

/**
 * jsdom has no IndexedDB: simulates a database with one store, asynchronous and transactional. Values are copied on the
 * way in and out.
 */
export function stubPhotoStorage() {
  const state = {
    rows: new Map<string, Row>(),
    stores: [] as string[],
    isFull: false,
    isForbidden: false,
    openings: 0,
  };

  function request(answer: () => unknown): Requested {
    const requested: Requested = { result: undefined, error: null };
    queueMicrotask(() => {
      requested.result = answer();
      requested.onsuccess?.();
    });
    return requested;
  }

  function transaction(name: string, mode: IDBTransactionMode) {
    if (!state.stores.includes(name)) throw new DOMException('No such store', 'NotFoundError');
    const draft = new Map(state.rows);
    const write = (act: () => void) => {
      if (mode !== 'readwrite') throw new DOMException('Only to be read', 'ReadOnlyError');
      return request(act);
    };
    const open = {
      error: state.isFull ? new DOMException('The disk is full', 'QuotaExceededError') : null,
      oncomplete: () => undefined,
      onabort: () => undefined,
      objectStore: () => ({
        put: (row: Row) => write(() => draft.set(row.id, { ...row })),
        delete: (id: string) => write(() => draft.delete(id)),
        getAll: () => request(() => [...draft.values()].map((row) => ({ ...row }))),
      }),
    };
    // All requests of the transaction have ended by the next turn of the event loop.
    setTimeout(() => {
      if (state.isFull && mode === 'readwrite') return open.onabort();
      if (mode === 'readwrite') state.rows = draft;
      open.oncomplete();
    });
    return open;
  }

  function open(_name: string, _version: number) {
    const opening: Requested & { onupgradeneeded?: () => void } = { result: undefined, error: null };
    state.openings++;
    queueMicrotask(() => {
      if (state.isForbidden) {
        opening.error = new DOMException('A private window', 'InvalidStateError');
        return opening.onerror?.();
      }
      opening.result = { transaction, createObjectStore: (store: string) => state.stores.push(store) };
      if (state.stores.length === 0) opening.onupgradeneeded?.();
      return opening.onsuccess?.();
    });
    return opening;
  }

  Object.defineProperty(globalThis, 'indexedDB', { configurable: true, value: { open } });
  onTestFinished(() => void Reflect.deleteProperty(globalThis, 'indexedDB'));
  return state;
}
