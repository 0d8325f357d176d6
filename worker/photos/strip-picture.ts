import { AppError } from '#worker/errors/app-error.ts';

const START_BYTES = 2;
const END = 0xd9;

const EXIF = 'Exif\0\0';

const SIGNATURE_BYTES = 8;
/** The bytes of a PNG chunk besides its data: 4 for the length, 4 for the name and 4 for the checksum. */
const FRAME_BYTES = 12;

/** The chunks of a PNG that contain the pixels and their colours. All other chunks are dropped. */
const KEPT_PNG_CHUNKS = new Set(['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'iCCP', 'sBIT']);

const CHUNK_HEADER_BYTES = 8;

const HEADER_BYTES = 12;

/** Some programs write EXIF into a WebP with the prefix that belongs in a JPEG. */
const EXIF_PREFIX = 'Exif\0\0';

/** The chunks of a WebP that contain the pixels and their colours. All other chunks are dropped. */
const KEPT_WEBP_CHUNKS = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ICCP', 'ANIM', 'ANMF']);

/** The first bytes of each format; null stands for any byte. */
const FORMATS: { begins: (number | null)[]; strip: (bytes: Uint8Array) => BarePicture | null }[] = [
  { begins: [0xff, 0xd8, 0xff], strip: stripJpeg },
  { begins: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], strip: stripPng },
  { begins: [0x52, 0x49, 0x46, 0x46, null, null, null, null, 0x57, 0x45, 0x42, 0x50], strip: stripWebp },
];

/**
 * Reduces a file to its pixels and their colours. Drops location, time, device, comments, previews, all frames of an
 * animated PNG except the first, and data after the picture's end.
 * @throws AppError unsupported_media_type if the bytes have no supported format; photo_broken if the file is truncated
 * or empty.
 */
export function stripPicture(bytes: Uint8Array): BarePicture {
  if (bytes.length === 0) throw new AppError('photo_broken');
  const format = FORMATS.find(({ begins }) => begins.every((byte, at) => byte === null || bytes[at] === byte));
  if (!format) throw new AppError('unsupported_media_type');
  const bare = format.strip(bytes);
  if (!bare) throw new AppError('photo_broken');
  return bare;
}

const SCAN = 0xda;

/**
 * Of the JPEG segments APP0 to APP15, those that affect the pixels or their colours: the marker, and the text with
 * which the segment begins. All other APP segments are dropped.
 */
const KEPT_APPLICATIONS: Record<number, string> = { 224: 'JFIF\0', 226: 'ICC_PROFILE\0', 238: 'Adobe' };
const COMMENT = 0xfe;

/** Removes the metadata from a JPEG file. Returns null for a truncated file. */
function stripJpeg(bytes: Uint8Array): BarePicture | null {
  const view = viewOf(bytes);
  const kept = [bytes.subarray(0, START_BYTES)];
  let orientation: Orientation = 1;
  for (let at = START_BYTES; at + 1 < bytes.length; ) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1] ?? 0;
    // JPEG allows any number of fill bytes before a marker.
    if (marker === 0xff) at++;
    else if (marker === END) return { bytes: concat([...kept, bytes.subarray(at, at + 2)]), orientation };
    else {
      const end = endOfSegment(bytes, view, at);
      if (end === null) return null;
      const content = bytes.subarray(at + 4, end);
      if (marker === 0xe1 && startsWith(content, EXIF)) orientation = readOrientation(content.subarray(EXIF.length));
      if (isKept(marker, content)) kept.push(bytes.subarray(at, end));
      at = end;
    }
  }
  return null;
}

function isKept(marker: number, content: Uint8Array): boolean {
  if (marker === COMMENT) return false;
  const isForApplications = marker >= 0xe0 && marker <= 0xef;
  return !isForApplications || startsWith(content, KEPT_APPLICATIONS[marker] ?? '\0none');
}

/**
 * Returns the end of the segment that begins at `at`; null if the file ends before the segment does. The pixels after a
 * scan header belong to the header's segment.
 */
function endOfSegment(bytes: Uint8Array, view: DataView, at: number): number | null {
  if (at + 4 > bytes.length) return null;
  const end = at + 2 + view.getUint16(at + 2);
  if (end > bytes.length || end < at + 4) return null;
  return bytes[at + 1] === SCAN ? endOfPixels(bytes, end) : end;
}

/**
 * Returns the end of a scan's pixels: the next marker, except 0xff 0x00 (an escaped byte) and the restart markers 0xd0
 * to 0xd7.
 */
function endOfPixels(bytes: Uint8Array, from: number): number | null {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && (next < 0xd0 || next > 0xd7)) return at;
  }
  return null;
}

/** Removes the metadata from a PNG file. Returns null for a truncated file. */
function stripPng(bytes: Uint8Array): BarePicture | null {
  const view = viewOf(bytes);
  const kept = [bytes.subarray(0, SIGNATURE_BYTES)];
  let orientation: Orientation = 1;
  for (let at = SIGNATURE_BYTES; at + FRAME_BYTES <= bytes.length; ) {
    const end = at + FRAME_BYTES + view.getUint32(at);
    if (end > bytes.length) return null;
    const name = nameAt(bytes, at + 4);
    const chunk = bytes.subarray(at, end);
    if (name === 'eXIf') orientation = readOrientation(chunk.subarray(8, -4));
    if (KEPT_PNG_CHUNKS.has(name)) kept.push(chunk);
    if (name === 'IEND') return { bytes: concat(kept), orientation };
    at = end;
  }
  return null;
}

/** The bits in the first byte of a VP8X chunk's content that announce an EXIF chunk and an XMP chunk. */
const METADATA_FLAGS = 0b1100;

/** Removes the metadata from a WebP file. Returns null for a truncated file. */
function stripWebp(bytes: Uint8Array): BarePicture | null {
  const view = viewOf(bytes);
  const fileEnd = CHUNK_HEADER_BYTES + view.getUint32(4, true);
  if (fileEnd > bytes.length) return null;
  const kept: Uint8Array[] = [];
  let orientation: Orientation = 1;
  for (let at = HEADER_BYTES; at + CHUNK_HEADER_BYTES <= fileEnd; ) {
    const size = view.getUint32(at + 4, true);
    // Chunks are padded to an even length.
    const end = at + CHUNK_HEADER_BYTES + size + (size % 2);
    if (end > fileEnd) return null;
    const name = nameAt(bytes, at);
    const content = bytes.subarray(at + CHUNK_HEADER_BYTES, end);
    if (name === 'EXIF')
      orientation = readOrientation(startsWith(content, EXIF_PREFIX) ? content.subarray(EXIF_PREFIX.length) : content);
    if (KEPT_WEBP_CHUNKS.has(name)) kept.push(bytes.subarray(at, end));
    at = end;
  }
  return kept.length === 0 ? null : { bytes: withHeader(bytes, kept), orientation };
}

function withHeader(bytes: Uint8Array, chunks: Uint8Array[]): Uint8Array {
  const file = concat([bytes.subarray(0, HEADER_BYTES), ...chunks]);
  viewOf(file).setUint32(4, file.length - CHUNK_HEADER_BYTES, true);
  if (nameAt(file, HEADER_BYTES) === 'VP8X') {
    const flags = HEADER_BYTES + CHUNK_HEADER_BYTES;
    file[flags] = (file[flags] ?? 0) & ~METADATA_FLAGS;
  }
  return file;
}

/** A picture without metadata, and its orientation. */
type BarePicture = { bytes: Uint8Array; orientation: Orientation };

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The four-letter name of a chunk. */
export function nameAt(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4));
}

/** Whether the bytes begin with the text. @param text has one character per byte. */
export function startsWith(bytes: Uint8Array, text: string): boolean {
  return bytes.length >= text.length && Array.from(text).every((letter, at) => bytes[at] === letter.charCodeAt(0));
}

export function concat(parts: Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((size, { length }) => size + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** A picture's orientation (EXIF tag 0x0112): 1 is upright; 2, 4, 5 and 7 are mirrored. */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

const ORIENTATION_TAG = 0x0112;
const SHORT = 3;
const ENTRY_BYTES = 12;

/**
 * Reads the orientation from an EXIF block.
 * @param tiff the content of the block, from the TIFF header on.
 * @returns 1 (upright) if the block cannot be read.
 */
export function readOrientation(tiff: Uint8Array): Orientation {
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength);
  try {
    const isLittle = view.getUint16(0) === 0x4949;
    const directory = view.getUint32(4, isLittle);
    const entries = view.getUint16(directory, isLittle);
    for (let index = 0; index < entries; index++) {
      const entry = directory + 2 + index * ENTRY_BYTES;
      if (view.getUint16(entry, isLittle) !== ORIENTATION_TAG) continue;
      const value = view.getUint16(entry + 8, isLittle);
      return view.getUint16(entry + 2, isLittle) === SHORT && isOrientation(value) ? value : 1;
    }
  } catch (error) {
    // A RangeError means that an offset in the block points beyond the end of the block.
    if (!(error instanceof RangeError)) throw error;
  }
  return 1;
}

function isOrientation(value: number): value is Orientation {
  return value >= 1 && value <= 8;
}

/** The transform that turns the picture upright. Cloudflare flips first, then rotates. */
export const UPRIGHT_BY = {
  1: {},
  2: { flip: 'h' },
  3: { rotate: 180 },
  4: { flip: 'v' },
  5: { flip: 'h', rotate: 270 },
  6: { rotate: 90 },
  7: { flip: 'h', rotate: 90 },
  8: { rotate: 270 },
} as const satisfies Record<Orientation, ImageTransform>;

/** Whether the orientation swaps width and height. */
export function liesOnItsSide(orientation: Orientation): boolean {
  return orientation >= 5;
}
