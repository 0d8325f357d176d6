import { vi } from 'vitest';

// Two packages need a canvas or a camera, which jsdom lacks. All test files share modules, so all files get the mocks.
vi.mock('canvas-confetti', () => canvasConfetti);
vi.mock('html5-qrcode', () => html5QrCode);

/** Records the confetti, and whether it was removed. */
export const confetti = noConfetti();

function noConfetti() {
  return { showers: [] as unknown[], options: [] as unknown[], resets: 0 };
}

const canvasConfetti = {
  default: {
    create: (_canvas: unknown, options: unknown) => {
      confetti.options.push(options);
      return Object.assign((shower: unknown) => void confetti.showers.push(shower), {
        reset: () => void confetti.resets++,
      });
    },
  },
};

type ReadText = (text: string) => void;

/**
 * The simulated scanner of QR codes: its calls, in order, and functions that tests replace. `onText` is null while
 * no camera is open.
 */
export const scanner = newScanner();

function newScanner() {
  return {
    calls: [] as string[],
    cameras: async () => [
      { id: 'front', label: 'Front' },
      { id: 'back', label: 'Back camera' },
    ],
    start: async () => {},
    stop: async () => {},
    host: null as HTMLElement | null,
    onText: null as ReadText | null,
    config: null as unknown,
    readPhoto: async (_photo: File): Promise<string> => '',
  };
}

const html5QrCode = {
  Html5QrcodeSupportedFormats: { QR_CODE: 0 },
  Html5Qrcode: class {
    constructor(hostId: string) {
      scanner.host = document.getElementById(hostId);
    }
    static getCameras() {
      scanner.calls.push('cameras');
      return scanner.cameras();
    }
    async start(camera: string, config: unknown, onText: ReadText) {
      scanner.calls.push(`start ${camera}`);
      scanner.config = config;
      await scanner.start();
      scanner.onText = onText;
      scanner.calls.push('started');
    }
    async stop() {
      scanner.calls.push('stop');
      scanner.onText = null;
      await scanner.stop();
    }
    clear() {
      scanner.calls.push('clear');
    }
    scanFile(photo: File) {
      return scanner.readPhoto(photo);
    }
  },
};

export function resetPackages(): void {
  Object.assign(confetti, noConfetti());
  Object.assign(scanner, newScanner());
}
