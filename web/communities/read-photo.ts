import { newIdempotencyKey } from '#web/lib/new-idempotency-key.ts';

/** The reader's time grows with the photo, and a phone's photo has twelve megapixels: first small, then not so small. */
const SIDES_MAX_PIXELS = [1_024, 2_048];
/** Of perfectly good codes the reader misses one in twenty-five, but others at another size. */
const OTHER_SIDES_PIXELS = [640, 400];

/** @returns the text of the QR code in the photo, or null when there is none that can be read. */
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
