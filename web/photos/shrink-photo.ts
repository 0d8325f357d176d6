import { drawSmall, JPEG } from './draw-small.ts';

/**
 * @returns the photo upright, in the size in which photos are stored, without metadata; null if this browser cannot
 * read it.
 */
export async function shrinkPhoto(file: File): Promise<Blob | null> {
  return (await shrinkAside(file).catch(() => null)) ?? (await shrinkHere(file).catch(() => null));
}

/** Shrinks the photo in a worker. @returns null if the browser cannot draw in a worker. */
async function shrinkAside(file: File): Promise<Blob | null> {
  if (!('Worker' in window && 'OffscreenCanvas' in window && 'createImageBitmap' in window)) return null;
  const worker = new Worker(new URL('./shrink-worker.ts', import.meta.url), { type: 'module' });
  try {
    return await new Promise<Blob | null>((resolve) => {
      worker.onmessage = ({ data }: MessageEvent<Blob | null>) => resolve(data);
      worker.onerror = () => resolve(null);
      worker.postMessage(file);
    });
  } finally {
    worker.terminate();
  }
}

async function shrinkHere(file: File): Promise<Blob | null> {
  const picture = new Image();
  const address = URL.createObjectURL(file);
  try {
    picture.src = address;
    await picture.decode();
    const canvas = drawSmall(picture, (width, height) =>
      Object.assign(document.createElement('canvas'), { width, height }),
    );
    return await new Promise((resolve) => canvas.toBlob(resolve, JPEG.type, JPEG.quality));
  } finally {
    URL.revokeObjectURL(address);
  }
}
