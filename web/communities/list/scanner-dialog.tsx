import type { CameraDevice, Html5Qrcode } from 'html5-qrcode';
import { type ChangeEvent, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { newIdempotencyKey } from '#web/api/client.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Dialog } from '#web/ui/dialogs.tsx';
import { Icon } from '#web/ui/icon.tsx';

const SENTENCES = {
  'no-camera': 'noCamera',
  'not-allowed': 'cameraRefused',
  error: 'scanError',
  unknown: 'unknownScanError',
} as const satisfies Record<ScanProblem, string>;

/** The scanner dialog (docs/product.md S9). It closes after reading a QR code. Closing always releases the camera. */
export function ScannerDialog({ onClose, onCode }: { onClose: () => void; onCode: (text: string) => void }) {
  const { t } = useTranslation('communities');
  const host = useId();
  const { problem, isStarting } = useScanner(host, onCode);
  return (
    <Dialog title={t('scannerTitle')} onClose={onClose}>
      <p className="text-muted">{t('scannerText')}</p>
      {problem ? (
        <Banner tone="error">
          <p className="font-semibold">{t(SENTENCES[problem])}</p>
          <p>{t('scannerManual')}</p>
        </Banner>
      ) : (
        <div className="relative min-h-52 overflow-hidden rounded-xl bg-sunken">
          {isStarting && (
            <p role="status" className="absolute inset-0 grid place-items-center text-muted">
              {t('scannerStarting')}
            </p>
          )}
          {/* The scanner writes into this element, so React leaves it empty. */}
          <div id={host} />
        </div>
      )}
      <PhotoButton onCode={onCode} />
    </Dialog>
  );
}

function PhotoButton({ onCode }: { onCode: (text: string) => void }) {
  const { t } = useTranslation('communities');
  const [state, setState] = useState<'idle' | 'reading' | 'unreadable'>('idle');
  const isOpen = useRef(true);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);

  async function read(event: ChangeEvent<HTMLInputElement>) {
    const photo = event.target.files?.[0];
    // Lets the user choose the same photo again: an unchanged field fires no event.
    event.target.value = '';
    if (!photo) return;
    setState('reading');
    const text = await readPhoto(photo);
    // Decoding may take seconds, and the user may have closed the dialog meanwhile.
    if (!isOpen.current) return;
    setState(text === null ? 'unreadable' : 'idle');
    if (text !== null) onCode(text);
  }

  return (
    <div className="grid gap-3">
      {state === 'unreadable' && <Banner tone="error">{t('photoUnreadable')}</Banner>}
      <label className="inline-flex min-h-11 cursor-pointer items-center justify-center gap-2 rounded-xl border border-field-line px-4 py-2 font-semibold focus-within:outline-3 focus-within:outline-accent focus-within:outline-offset-2 hover:bg-sunken">
        <Icon name="camera" />
        {state === 'reading' ? t('readingPhoto') : t('readPhoto')}
        <input
          type="file"
          accept="image/*"
          className="sr-only"
          disabled={state === 'reading'}
          onChange={(event) => void read(event)}
        />
      </label>
    </div>
  );
}

/** The scanner's settings (docs/product.md T6). */
const SCAN = { fps: 10, qrbox: { width: 250, height: 250 }, disableFlip: true };
const BACK_CAMERA = /back|rear|environment/i;

type ScanProblem = 'no-camera' | 'not-allowed' | 'error' | 'unknown';

/**
 * Opens and closes the camera one step after the other, because a camera cannot be closed while it is opening. A new
 * dialog therefore waits until the previous dialog has released the camera.
 */
let lastStep: Promise<void> = Promise.resolve();
function queueStep(step: () => Promise<void>): void {
  lastStep = lastStep.then(step).catch((error: unknown) => console.warn({ event: 'camera_not_released', error }));
}

/**
 * Opens the camera in the element and reports the first QR code. Releases the camera after a code, after a failure, and
 * when the component is removed.
 * @param hostId the id of an empty element that React does not fill.
 */
function useScanner(hostId: string, onCode: (text: string) => void) {
  const [problem, setProblem] = useState<ScanProblem | null>(null);
  const [isStarting, setIsStarting] = useState(true);
  const report = useRef(onCode);
  report.current = onCode;

  useEffect(() => {
    const scan = { isOver: false, scanner: null as Html5Qrcode | null };
    const host = document.getElementById(hostId);
    const onText = (text: string) => {
      if (scan.isOver) return;
      scan.isOver = true;
      report.current(text);
    };
    queueStep(async () => {
      try {
        scan.scanner = await startScanner(hostId, onText, () => scan.isOver);
      } catch (error) {
        await release(null, host);
        if (!scan.isOver) setProblem(toProblem(error));
      }
      if (!scan.isOver) setIsStarting(false);
    });
    return () => {
      scan.isOver = true;
      queueStep(() => release(scan.scanner, host));
    };
  }, [hostId]);

  return { problem, isStarting };
}

async function startScanner(hostId: string, onText: (text: string) => void, isOver: () => boolean) {
  if (isOver()) return null;
  const { Html5Qrcode, Html5QrcodeSupportedFormats } = await import('html5-qrcode');
  if (isOver()) return null;
  const camera = chooseCamera(await Html5Qrcode.getCameras());
  if (isOver()) return null;
  if (!camera) throw new DOMException('', 'NotFoundError');
  const scanner = new Html5Qrcode(hostId, {
    verbose: false,
    formatsToSupport: [Html5QrcodeSupportedFormats.QR_CODE],
  });
  // A camera frame without a QR code is not a failure.
  await scanner.start(camera.id, SCAN, onText, () => undefined);
  return scanner;
}

/** Returns the camera that faces away from the user, else the first. */
export function chooseCamera(cameras: CameraDevice[]): CameraDevice | null {
  return cameras.find(({ label }) => BACK_CAMERA.test(label)) ?? cameras[0] ?? null;
}

async function release(scanner: Html5Qrcode | null, host: HTMLElement | null): Promise<void> {
  const videos = [...(host?.querySelectorAll('video') ?? [])];
  try {
    if (scanner) await scanner.stop();
    scanner?.clear();
  } finally {
    // Stops every stream, whatever state the scanner is in: otherwise the camera's light stays on.
    for (const { srcObject } of videos) if (srcObject instanceof MediaStream) stopTracks(srcObject);
  }
}

function stopTracks(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

/**
 * Returns the problem for an error. Searches the whole text for the name of the browser's error, because the scanner
 * may put the error into a sentence of its own.
 */
export function toProblem(error: unknown): ScanProblem {
  const text = typeof error === 'string' ? error : readError(error);
  if (/NotFound|DevicesNotFound|OverconstrainedError/.test(text)) return 'no-camera';
  if (/NotAllowed|PermissionDenied|SecurityError/.test(text)) return 'not-allowed';
  return text ? 'error' : 'unknown';
}

/** Returns the error's name and message. Avoids `instanceof Error`: in some browsers a DOMException is not an Error. */
function readError(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('name' in error)) return '';
  return `${error.name} ${'message' in error ? error.message : ''}`;
}

/**
 * The first attempts scale a photo so that its longest side has at most this many pixels. The smaller size comes first,
 * because decoding all 12 megapixels of a photo is slow.
 */
const SIDES_MAX_PIXELS = [1_024, 2_048];
/** Further sizes at which to try a photo: at any single size the decoder misses about one valid code in twenty-five. */
const OTHER_SIDES_PIXELS = [640, 400];

/** @returns the text of the photo's QR code, or null if none can be read. */
export async function readPhoto(photo: File): Promise<string | null> {
  const bitmap = await createImageBitmap(photo).catch(() => null);
  if (!bitmap) return null;
  const longest = Math.max(bitmap.width, bitmap.height);
  const sides = new Set([...SIDES_MAX_PIXELS.map((side) => Math.min(side, longest)), ...OTHER_SIDES_PIXELS]);
  try {
    for (const side of sides) {
      const text = await readAt(bitmap, side / longest).catch(() => null);
      if (text !== null) return text;
    }
    return null;
  } finally {
    bitmap.close();
  }
}

async function readAt(bitmap: ImageBitmap, scale: number): Promise<string> {
  const { Html5Qrcode, Html5QrcodeSupportedFormats } = await import('html5-qrcode');
  const host = document.createElement('div');
  host.id = `photo-${newIdempotencyKey()}`;
  host.hidden = true;
  document.body.append(host);
  try {
    const reader = new Html5Qrcode(host.id, {
      verbose: false,
      formatsToSupport: [Html5QrcodeSupportedFormats.QR_CODE],
    });
    return await reader.scanFile(await toPhoto(bitmap, scale), false);
  } finally {
    host.remove();
  }
}

async function toPhoto(bitmap: ImageBitmap, scale: number): Promise<File> {
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(bitmap.width * scale);
  canvas.height = Math.round(bitmap.height * scale);
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
  if (!blob) throw new Error('The photo has no picture');
  return new File([blob], 'photo.png', { type: blob.type });
}
