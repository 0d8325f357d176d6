import { render, screen, waitFor } from '@testing-library/react';
import { StrictMode } from 'react';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { readJoinCode } from '#contract/links.ts';
import { scanner } from '#tests/web/support/packages.ts';
import { leaveHttps } from '#tests/web/support/phone.ts';
import { startUser } from '#tests/web/support/render-screen.tsx';
import { chooseCamera, readPhoto, ScannerDialog, toProblem } from '#web/communities/list/scanner-dialog.tsx';
import { changeLanguage } from '#web/lib/i18n.ts';

describe('the camera', () => {
  beforeEach(() => changeLanguage('en'));

  function open(onCode = vi.fn()) {
    const view = render(
      <StrictMode>
        <ScannerDialog onClose={() => {}} onCode={onCode} />
      </StrictMode>,
    );
    return { ...view, onCode };
  }

  test('is started once although React’s strict mode mounts the dialog twice, and stops when the dialog closes', async () => {
    const { unmount } = open();
    await waitFor(() => expect(scanner.calls).toContain('started'));
    expect(scanner.calls).toEqual(['cameras', 'start back', 'started']);
    expect(scanner.config).toEqual({ fps: 10, qrbox: { width: 250, height: 250 }, disableFlip: true });
    unmount();
    await waitFor(() => expect(scanner.calls.slice(3)).toEqual(['stop', 'clear']));
  });

  test('if a dialog closes while its camera starts, the camera stops before the next dialog starts the camera', async () => {
    let finish = () => {};
    scanner.start = () =>
      new Promise((resolve) => {
        finish = resolve;
      });
    const { unmount } = open();
    await waitFor(() => expect(scanner.calls).toContain('start back'));
    unmount();
    scanner.start = async () => {};
    const second = open();
    finish();
    await waitFor(() => expect(scanner.calls.filter((call) => call === 'started')).toHaveLength(2));
    expect(scanner.calls).toEqual([
      'cameras',
      'start back',
      'started',
      'stop',
      'clear',
      'cameras',
      'start back',
      'started',
    ]);
    second.unmount();
    await waitFor(() => expect(scanner.calls.at(-1)).toBe('clear'));
  });

  test('a dialog closed before the list of cameras has loaded opens no camera', async () => {
    const cameras = Promise.withResolvers<{ id: string; label: string }[]>();
    scanner.cameras = () => cameras.promise;
    const { unmount } = open();
    await waitFor(() => expect(scanner.calls).toEqual(['cameras']));
    unmount();
    cameras.resolve([{ id: 'back', label: 'Back camera' }]);
    scanner.cameras = async () => [];
    const second = open();
    expect(await screen.findByText('No camera found')).toBeInTheDocument();
    expect(scanner.calls).toEqual(['cameras', 'cameras']);
    second.unmount();
  });

  test('is switched off even if stopping the scanner fails', async () => {
    const stopped: string[] = [];
    class Stream {
      getTracks = () => ['video', 'sound'].map((kind) => ({ stop: () => stopped.push(kind) }));
    }
    vi.stubGlobal('MediaStream', Stream);
    const warned = vi.spyOn(console, 'warn').mockReturnValue();
    scanner.start = async () => {
      const video = document.createElement('video');
      Object.defineProperty(video, 'srcObject', { value: new Stream() });
      scanner.host?.append(video);
    };
    scanner.stop = async () => {
      throw new Error('It does not run');
    };
    onTestFinished(() => {
      vi.unstubAllGlobals();
      warned.mockRestore();
      scanner.stop = async () => {};
    });
    const { unmount } = open();
    await waitFor(() => expect(scanner.calls).toContain('started'));
    expect(stopped).toEqual([]);
    unmount();
    await waitFor(() => expect(stopped).toEqual(['video', 'sound']));
    // The failed stop does not prevent the next dialog from starting the camera.
    scanner.stop = async () => {};
    scanner.start = async () => {};
    const second = open();
    await waitFor(() => expect(scanner.calls.filter((call) => call === 'started')).toHaveLength(2));
    second.unmount();
    await waitFor(() => expect(scanner.calls.at(-1)).toBe('clear'));
  });

  test('a QR code that the camera reads twice fills in the field for the access code only once', async () => {
    const { onCode, unmount } = open();
    await waitFor(() => expect(scanner.calls).toContain('started'));
    scanner.onText?.('ABCDE23456');
    scanner.onText?.('ABCDE23456');
    expect(onCode.mock.calls).toEqual([['ABCDE23456']]);
    unmount();
    await waitFor(() => expect(scanner.calls.at(-1)).toBe('clear'));
  });

  test('a photo whose QR code is read after the dialog was closed fills no field', async () => {
    vi.stubGlobal('createImageBitmap', async () => ({ width: 8, height: 8, close() {} }));
    // jsdom does not draw.
    vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
    vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done) => done(new Blob(['x'])));
    onTestFinished(() => {
      vi.unstubAllGlobals();
      vi.restoreAllMocks();
    });
    const photo = Promise.withResolvers<string>();
    const asked = Promise.withResolvers<void>();
    scanner.readPhoto = () => {
      asked.resolve();
      return photo.promise;
    };
    const { unmount, onCode } = open();
    const input = screen.getByLabelText('Choose a photo of the QR code');
    await startUser().upload(input, new File(['x'], 'code.png', { type: 'image/png' }));
    await asked.promise;
    unmount();
    photo.resolve('ABCDE23456');
    await photo.promise;
    await waitFor(() => expect(document.querySelector('[id^=photo-]')).toBeNull());
    expect(onCode).not.toHaveBeenCalled();
  });

  test.each([
    ['a phone without a camera', async () => [], 'No camera found'],
    [
      'a camera that has disappeared',
      async () => {
        throw new DOMException('', 'NotFoundError');
      },
      'No camera found',
    ],
    [
      'a refused permission',
      async () => {
        throw new DOMException('', 'NotAllowedError');
      },
      "Patikana is not allowed to use the camera. Allow it in your browser's settings.",
    ],
    [
      'an unknown camera error',
      async () => {
        throw new Error('busy');
      },
      'Scan error occurred',
    ],
    [
      'an error without a value',
      async () => {
        throw undefined;
      },
      'Unknown error occurred',
    ],
  ])('the problem “%s” is explained, with the advice to type the access code', async (_case, cameras, sentence) => {
    scanner.cameras = cameras;
    const { unmount } = open();
    expect(await screen.findByText(sentence)).toBeInTheDocument();
    expect(screen.getByText('Please try entering the code manually')).toBeInTheDocument();
    unmount();
  });

  test('the back camera is used; without a back camera, the first camera is used', () => {
    const named = (...labels: string[]) => labels.map((label, index) => ({ id: `${index}`, label }));
    expect(chooseCamera(named('Front', 'camera2 0, facing BACK'))?.id).toBe('1');
    expect(chooseCamera(named('Front', 'Rear'))?.id).toBe('1');
    expect(chooseCamera(named('User', 'environment'))?.id).toBe('1');
    expect(chooseCamera(named('One', 'Two'))?.id).toBe('0');
    expect(chooseCamera([])).toBeNull();
  });

  test('the cause of a problem is read from the scanner library’s error message', () => {
    expect(toProblem('Error getting userMedia, error = NotAllowedError: Permission denied')).toBe('not-allowed');
    expect(toProblem('Error getting userMedia, error = NotReadableError')).toBe('error');
    expect(toProblem(undefined)).toBe('unknown');
  });

  test.each([
    ['https://patikana.tz/communities?join=ABCDE23456', 'ABCDE23456'],
    ['ABCDE 23456 ', 'ABCDE 23456'],
    ['?JOIN=abc%20de&x', 'abc de'],
  ])('the scanned text “%s” fills the field with the access code “%s”', (text, code) => {
    expect(readJoinCode(text)).toBe(code);
  });
});

describe('a photo of a QR code', () => {
  const PHOTO = new File(['x'], 'code.jpg', { type: 'image/jpeg' });
  const closed = vi.fn();
  let drawn: string[];

  /** Simulates a photo of the given size. jsdom cannot decode a photo, so the bitmap has only a size. */
  function takePhoto(width: number, height: number): void {
    vi.stubGlobal('createImageBitmap', async () => ({ width, height, close: closed }));
  }

  /** Simulates a scanner library that finds a QR code only in photos of the given sizes. */
  function readAt(...sizes: string[]): void {
    scanner.readPhoto = async (photo) => {
      const size = await photo.text();
      drawn.push(size);
      if (!sizes.includes(size)) throw new Error('NotFoundException');
      return `code at ${size}`;
    };
  }

  beforeEach(async () => {
    await changeLanguage('en');
    scanner.cameras = async () => [];
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

  test('is scanned at four sizes, one after the other, until a QR code is found', async () => {
    const sizes = ['1024×768', '2048×1536', '640×480', '400×300'];
    for (const [index, size] of sizes.entries()) {
      drawn = [];
      readAt(size);
      expect(await readPhoto(PHOTO)).toBe(`code at ${size}`);
      expect(drawn).toEqual(sizes.slice(0, index + 1));
    }
    expect(document.querySelector('[id^=photo-]')).toBeNull();
  });

  test('results in null, and its bitmap is closed, if no QR code is readable at any size', async () => {
    readAt();
    expect(await readPhoto(PHOTO)).toBeNull();
    expect(drawn).toHaveLength(4);
    expect(closed).toHaveBeenCalledOnce();
    expect(document.querySelector('[id^=photo-]')).toBeNull();
  });

  test('of 500 by 1,000 pixels is scanned once at its own size, and once at each of two smaller sizes', async () => {
    takePhoto(500, 1_000);
    readAt();
    expect(await readPhoto(PHOTO)).toBeNull();
    expect(drawn).toEqual(['500×1000', '320×640', '200×400']);
  });

  test('results in null if the browser cannot decode the photo’s file', async () => {
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
    'in the language %s, the photo button is disabled and shows a progress text while the app reads a photo',
    async (language, choose, reading, sentence) => {
      await changeLanguage(language);
      let answer = Promise.withResolvers<string>();
      scanner.readPhoto = () => answer.promise;
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

  test('is read on a page without HTTPS', async () => {
    leaveHttps();
    readAt('1024×768');
    expect(await readPhoto(PHOTO)).toBe('code at 1024×768');
  });
});
