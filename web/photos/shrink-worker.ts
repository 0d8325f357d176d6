import { drawSmall, JPEG } from './draw-small.ts';

/** Shrinks a photo in a worker, because reading twelve megapixels would block the page for seconds. */
self.onmessage = async ({ data }: MessageEvent<Blob>) => {
  try {
    const bitmap = await createImageBitmap(data, { imageOrientation: 'from-image' });
    const canvas = drawSmall(bitmap, (width, height) => new OffscreenCanvas(width, height));
    bitmap.close();
    self.postMessage(await canvas.convertToBlob(JPEG));
  } catch {
    self.postMessage(null);
  }
};
