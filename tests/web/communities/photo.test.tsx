import { render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { leaveHttps } from '#tests/web/support/phone.ts';
import { startUser } from '#tests/web/support/render-screen.tsx';
import { readPhoto, ScannerDialog } from '#web/communities/list/scanner-dialog.tsx';
import { changeLanguage } from '#web/lib/i18n.ts';

/** The pictures that the reader received, and its result. */
const reader = vi.hoisted(() => ({ read: async (_photo: File): Promise<string> => '' }));

vi.mock('html5-qrcode', () => ({
  Html5QrcodeSupportedFormats: { QR_CODE: 0 },
  Html5Qrcode: class {
    static getCameras = async () => [];
    scanFile = (photo: File) => reader.read(photo);
  },
}));

const PHOTO = new File(['x'], 'code.jpg', { type: 'image/jpeg' });
const closed = vi.fn();
let drawn: string[];

/** A photo of that size. jsdom does not draw, so a canvas stands in with its size. */
function takePhoto(width: number, height: number): void {
  vi.stubGlobal('createImageBitmap', async () => ({ width, height, close: closed }));
}

/** A reader that finds a code only at those sizes. */
function readAt(...sizes: string[]): void {
  reader.read = async (photo) => {
    const size = await photo.text();
    drawn.push(size);
    if (!sizes.includes(size)) throw new Error('NotFoundException');
    return `code at ${size}`;
  };
}

beforeEach(async () => {
  await changeLanguage('en');
  drawn = [];
  closed.mockClear();
  takePhoto(4_000, 3_000);
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation(function toBlob(this: HTMLCanvasElement, done) {
    done(new Blob([`${this.width}×${this.height}`], { type: 'image/png' }));
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('a photo is scanned small first, then larger, then smaller, until a code is found', async () => {
  const sizes = ['1024×768', '2048×1536', '640×480', '400×300'];
  for (const [index, size] of sizes.entries()) {
    drawn = [];
    readAt(size);
    expect(await readPhoto(PHOTO)).toBe(`code at ${size}`);
    expect(drawn).toEqual(sizes.slice(0, index + 1));
  }
  expect(document.querySelector('[id^=photo-]')).toBeNull();
});

test('a photo without a code at any size gives no code and frees its memory', async () => {
  readAt();
  expect(await readPhoto(PHOTO)).toBeNull();
  expect(drawn).toHaveLength(4);
  expect(closed).toHaveBeenCalledOnce();
  expect(document.querySelector('[id^=photo-]')).toBeNull();
});

test('a small photo is scanned at its own size, and no size twice', async () => {
  takePhoto(500, 1_000);
  readAt();
  expect(await readPhoto(PHOTO)).toBeNull();
  expect(drawn).toEqual(['500×1000', '320×640', '200×400']);
});

test('a file that is not a picture has no code', async () => {
  vi.stubGlobal('createImageBitmap', async () => {
    throw new DOMException('', 'InvalidStateError');
  });
  readAt();
  expect(await readPhoto(PHOTO)).toBeNull();
  expect(drawn).toEqual([]);
});

test.each([
  [
    'en',
    'Choose a photo of the QR code',
    'Reading the photo…',
    'No QR code could be read in this photo. Please choose a sharper one.',
  ],
  [
    'sw',
    'Chagua picha ya msimbo wa QR',
    'Picha inasomwa…',
    'Hakuna msimbo wa QR ulioweza kusomeka kwenye picha hii. Tafadhali chagua iliyo wazi zaidi.',
  ],
] as const)(
  'while a photo is read the dialog says so in %s and takes no other',
  async (language, choose, reading, sentence) => {
    await changeLanguage(language);
    let answer = Promise.withResolvers<string>();
    reader.read = () => answer.promise;
    const onCode = vi.fn();
    render(<ScannerDialog onClose={() => undefined} onCode={onCode} />);
    await startUser().upload(screen.getByLabelText(choose), PHOTO);
    expect(screen.getByLabelText(reading)).toBeDisabled();
    expect(screen.queryByText(choose)).toBeNull();
    answer.reject(new Error('NotFoundException'));
    expect(await screen.findByText(sentence)).toBeInTheDocument();
    expect(screen.getByText(sentence).closest('[role=alert]')).not.toBeNull();
    expect(onCode).not.toHaveBeenCalled();
    answer = Promise.withResolvers<string>();
    await startUser().upload(screen.getByLabelText(choose), PHOTO);
    expect(screen.queryByText(sentence)).toBeNull();
    answer.resolve('ABCDE23456');
    await waitFor(() => expect(onCode.mock.calls).toEqual([['ABCDE23456']]));
    expect(await screen.findByLabelText(choose)).toBeEnabled();
  },
);

test('a photo is read on a page without HTTPS', async () => {
  leaveHttps();
  readAt('1024×768');
  expect(await readPhoto(PHOTO)).toBe('code at 1024×768');
});
