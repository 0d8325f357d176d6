import type { CameraDevice, Html5Qrcode } from 'html5-qrcode';
import { useEffect, useRef, useState } from 'react';

/** docs/product.md T6. */
const SCAN = { fps: 10, qrbox: { width: 250, height: 250 }, disableFlip: true };
const BACK_CAMERA = /back|rear|environment/i;

export type ScanProblem = 'no-camera' | 'not-allowed' | 'error' | 'unknown';

/**
 * One step after the other: a camera that is being opened cannot be closed yet, and a dialog that is opened again
 * at once, as by React's double mount, must find it released.
 */
let lastStep: Promise<void> = Promise.resolve();
function queueStep(step: () => Promise<void>): void {
  lastStep = lastStep.then(step).catch((error: unknown) => console.warn({ event: 'camera_not_released', error }));
}

/**
 * Opens the camera into the element and reports the first code it sees. The camera is released when the component
 * goes, when a code was read and when anything fails.
 * @param hostId the id of an empty element that React does not fill.
 */
export function useScanner(hostId: string, onCode: (text: string) => void) {
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
  // A frame without a code is no failure.
  await scanner.start(camera.id, SCAN, onText, () => undefined);
  return scanner;
}

/** The one that looks away from its holder, else the first. */
export function chooseCamera(cameras: CameraDevice[]): CameraDevice | null {
  return cameras.find(({ label }) => BACK_CAMERA.test(label)) ?? cameras[0] ?? null;
}

async function release(scanner: Html5Qrcode | null, host: HTMLElement | null): Promise<void> {
  const videos = [...(host?.querySelectorAll('video') ?? [])];
  try {
    if (scanner) await scanner.stop();
    scanner?.clear();
  } finally {
    // Whatever the scanner left open: the light beside the lens must go out.
    for (const { srcObject } of videos) if (srcObject instanceof MediaStream) stopTracks(srcObject);
  }
}

function stopTracks(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

/** The scanner fails with the browser's error or with a sentence of its own around it. */
export function toProblem(error: unknown): ScanProblem {
  const text = typeof error === 'string' ? error : readError(error);
  if (/NotFound|DevicesNotFound|OverconstrainedError/.test(text)) return 'no-camera';
  if (/NotAllowed|PermissionDenied|SecurityError/.test(text)) return 'not-allowed';
  return text ? 'error' : 'unknown';
}

/** A DOMException is not in every browser an Error. */
function readError(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('name' in error)) return '';
  return `${error.name} ${'message' in error ? error.message : ''}`;
}
