import { type BarePicture, concat, nameAt, startsWith, viewOf } from './picture-bytes.ts';
import { type Orientation, readOrientation } from './read-orientation.ts';

const HEADER_BYTES = 12;
const CHUNK_HEADER_BYTES = 8;
/** Some programs write EXIF with the prefix that it has in a JPEG. */
const EXIF = 'Exif\0\0';
/** The flags for EXIF and XMP in the first byte of VP8X. */
const METADATA_FLAGS = 0b1100;

/** The chunks with the pixels and their colours. */
const KEPT = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ICCP', 'ANIM', 'ANMF']);

/** Null for a truncated file. */
export function stripWebp(bytes: Uint8Array): BarePicture | null {
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
      orientation = readOrientation(startsWith(content, EXIF) ? content.subarray(EXIF.length) : content);
    if (KEPT.has(name)) kept.push(bytes.subarray(at, end));
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
