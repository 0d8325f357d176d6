import { PHOTO_MAX_PIXELS, PHOTO_MAX_SIDE_PX, THUMBNAIL_MAX_BYTES, THUMBNAIL_MAX_SIDE_PX } from '#contract/limits.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { answerInTime, log } from '#worker/errors/log.ts';
import { type MadePhoto, PATIENCE_MS, RETRY_SECONDS, type Size } from './objects.ts';
import { OG_HEIGHT_PX, OG_MAX_BYTES, OG_WIDTH_PX, type Rendition } from './present-photos.ts';
import { liesOnItsSide, type Orientation, startsWith, stripPicture, UPRIGHT_BY } from './strip-picture.ts';

/**
 * The lengths of the thumbnail's longer side, tried in order until the thumbnail's file is small enough. At 320 px the
 * file of a noisy picture has 17 kB, which is too much.
 */
const THUMBNAIL_SIDES_PX = [THUMBNAIL_MAX_SIDE_PX, 256, 192, 128, 96];
const QUALITY = { photo: 80, thumbnail: 70, og: 75 } as const satisfies Record<Rendition, number>;

/** Cloudflare's error codes with causes other than the picture: limits, errors of Cloudflare, a broken connection. */
const UNAVAILABLE = new Set([9402, 9422, 9424, 9432, 9516, 9517, 9518, 9522, 9524]);
const TOO_MANY_PIXELS = 9413;
/** The `Retry-After` when Cloudflare's limit is reached. The time is long, because the limit may be monthly. */
const LIMIT_RETRY_SECONDS = 60 * 60;
const BEGINS_WITH = { photo: 'RIFF', thumbnail: 'RIFF', og: '\xff\xd8\xff' } as const satisfies Record<
  Rendition,
  string
>;

type Images = Pick<ImagesBinding, 'info' | 'input'>;

/**
 * Makes the stored renditions from an uploaded file: upright, without metadata, never enlarged.
 * @returns `og` is null if it cannot be made small enough.
 * @throws AppError what `stripPicture` throws; photo_broken, photo_too_large; unavailable.
 */
export async function makeRenditions(images: Images, file: Uint8Array): Promise<MadePhoto> {
  const { bytes, orientation } = stripPicture(file);
  try {
    return await answerInTime(() => makeAll(images, bytes, orientation), PATIENCE_MS);
  } catch (error) {
    throw toAppError(error);
  }
}

async function makeAll(images: Images, bytes: Uint8Array, orientation: Orientation): Promise<MadePhoto> {
  const came = await sizeOf(images, bytes);
  const upright = liesOnItsSide(orientation) ? { width: came.height, height: came.width } : came;
  const size = scaleTo(upright, PHOTO_MAX_SIDE_PX);
  const photo = await make(images, bytes, { ...UPRIGHT_BY[orientation], ...exactly(size) }, 'photo');
  const thumbnail = await makeThumbnail(images, photo, size);
  return { ...size, files: { photo, thumbnail, og: await makeOg(images, [photo, thumbnail]) } };
}

/** Reads the picture's size from its header, so that a decompression bomb is never unpacked. */
async function sizeOf(images: Images, bytes: Uint8Array): Promise<Size> {
  const info = await images.info(new Blob([bytes]).stream());
  if (!('width' in info)) throw new AppError('unsupported_media_type');
  if (info.width * info.height > PHOTO_MAX_PIXELS) throw new AppError('photo_too_large');
  return info;
}

function scaleTo({ width, height }: Size, maxSide: number): Size {
  const scale = Math.min(1, maxSide / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/**
 * Scales to exactly this size, so that the stored width and height are correct. The caller chooses a size with the
 * picture's aspect ratio.
 */
function exactly(size: Size): ImageTransform {
  return { ...size, fit: 'squeeze' };
}

async function makeThumbnail(images: Images, photo: Uint8Array, size: Size): Promise<Uint8Array> {
  let made = photo;
  for (const side of THUMBNAIL_SIDES_PX) {
    made = await make(images, photo, exactly(scaleTo(size, side)), 'thumbnail');
    if (made.length <= THUMBNAIL_MAX_BYTES) break;
  }
  return made;
}

/**
 * Makes the picture for link previews.
 * @param sources the pictures to scale, largest first. If the result is too large, the next source is used.
 */
async function makeOg(images: Images, sources: Uint8Array[]): Promise<Uint8Array | null> {
  for (const source of sources) {
    const made = await make(images, source, { width: OG_WIDTH_PX, height: OG_HEIGHT_PX, fit: 'cover' }, 'og');
    if (made.length <= OG_MAX_BYTES) return made;
  }
  return null;
}

async function make(
  images: Images,
  source: Uint8Array,
  transform: ImageTransform,
  rendition: Rendition,
): Promise<Uint8Array> {
  const made = await images
    .input(new Blob([source]).stream())
    .transform(transform)
    .output({
      format: rendition === 'og' ? 'image/jpeg' : 'image/webp',
      quality: QUALITY[rendition],
      anim: false,
      ...(rendition === 'og' && { background: '#ffffff' }),
    });
  const file = new Uint8Array(await made.response().arrayBuffer());
  if (!startsWith(file, BEGINS_WITH[rendition])) throw new Error('The rendition is not a picture');
  return file;
}

function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  // Cloudflare returns an error code for unreadable pictures. An error without a code means that the connection failed.
  const code = error instanceof Error && 'code' in error ? Number(error.code) : null;
  if (code === TOO_MANY_PIXELS) return new AppError('photo_too_large');
  if (code !== null && !UNAVAILABLE.has(code)) return new AppError('photo_broken');
  log.error('images_unavailable', { error_code: code });
  return new AppError('unavailable', { retryAfterSeconds: code === null ? RETRY_SECONDS : LIMIT_RETRY_SECONDS });
}
