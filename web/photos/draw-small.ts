import { PHOTO_MAX_SIDE_PX } from '#contract/limits.ts';

type Canvas = HTMLCanvasElement | OffscreenCanvas;
export const JPEG = { type: 'image/jpeg', quality: 0.8 };

/**
 * Draws a picture at the size in which photos are stored. A smaller picture keeps its own size.
 * @throws if the browser cannot draw the picture.
 */
export function drawSmall<Made extends Canvas>(
  picture: ImageBitmap | HTMLImageElement,
  makeCanvas: (width: number, height: number) => Made,
): Made {
  const scale = Math.min(1, PHOTO_MAX_SIDE_PX / Math.max(picture.width, picture.height));
  const width = Math.max(1, Math.round(picture.width * scale));
  const height = Math.max(1, Math.round(picture.height * scale));
  const canvas = makeCanvas(width, height);
  const context = canvas.getContext('2d') as CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D | null;
  if (!context) throw new Error('There is no memory for the picture');
  // Fills the background with white: in a JPEG, transparent areas would turn black.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, width, height);
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, 0, 0, width, height);
  return canvas;
}
