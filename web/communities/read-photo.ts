/** The reader's time grows with the photo, and a phone's photo has twelve megapixels: first small, then not so small. */
const SIDES_PIXELS = [1_024, 2_048];

/** @returns the text of the QR code in the photo, or null when there is none that can be read. */
export async function readPhoto(photo: File): Promise<string | null> {
  for (const side of SIDES_PIXELS) {
    const text = await readAt(photo, side).catch(() => null);
    if (text !== null) return text;
  }
  return null;
}

async function readAt(photo: File, side: number): Promise<string> {
  const { Html5Qrcode, Html5QrcodeSupportedFormats } = await import('html5-qrcode');
  const host = document.createElement('div');
  host.id = `photo-${crypto.randomUUID()}`;
  host.hidden = true;
  document.body.append(host);
  try {
    const reader = new Html5Qrcode(host.id, {
      verbose: false,
      formatsToSupport: [Html5QrcodeSupportedFormats.QR_CODE],
    });
    return await reader.scanFile(await shrink(photo, side), false);
  } finally {
    host.remove();
  }
}

async function shrink(photo: File, side: number): Promise<File> {
  const bitmap = await createImageBitmap(photo);
  const scale = Math.min(1, side / Math.max(bitmap.width, bitmap.height));
  if (scale === 1) return photo;
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(bitmap.width * scale);
  canvas.height = Math.round(bitmap.height * scale);
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
  return blob ? new File([blob], photo.name, { type: blob.type }) : photo;
}
