import { AppError } from '#worker/errors/app-error.ts';
import type { BarePicture } from './picture-bytes.ts';
import { stripJpeg } from './strip-jpeg.ts';
import { stripPng } from './strip-png.ts';
import { stripWebp } from './strip-webp.ts';

/** The first bytes of each format; null stands for any byte. */
const FORMATS: { begins: (number | null)[]; strip: (bytes: Uint8Array) => BarePicture | null }[] = [
  { begins: [0xff, 0xd8, 0xff], strip: stripJpeg },
  { begins: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], strip: stripPng },
  { begins: [0x52, 0x49, 0x46, 0x46, null, null, null, null, 0x57, 0x45, 0x42, 0x50], strip: stripWebp },
];

/**
 * Reduces a file to its pixels and their colours, without location, time, device, comments, previews, further frames of
 * an animated PNG, and data after its end.
 * @throws AppError unsupported_media_type if its bytes are of no supported format; photo_broken if it is truncated or empty.
 */
export function stripPicture(bytes: Uint8Array): BarePicture {
  if (bytes.length === 0) throw new AppError('photo_broken');
  const format = FORMATS.find(({ begins }) => begins.every((byte, at) => byte === null || bytes[at] === byte));
  if (!format) throw new AppError('unsupported_media_type');
  const bare = format.strip(bytes);
  if (!bare) throw new AppError('photo_broken');
  return bare;
}
