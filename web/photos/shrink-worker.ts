import { drawSmall, JPEG } from './draw-small.ts';

/** In a worker, so that typing does not stutter while a phone reads twelve megapixels. */
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
