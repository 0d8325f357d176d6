import { type BarePicture, concat, startsWith, viewOf } from './picture-bytes.ts';
import { type Orientation, readOrientation } from './read-orientation.ts';

const START_BYTES = 2;
const END = 0xd9;
const SCAN = 0xda;
const EXIF = 'Exif\0\0';

/** Segments for applications, APP0 to APP15: of those these alone say what the pixels mean. A profile says their colours. */
const KEPT_APPLICATIONS: Record<number, string> = { 224: 'JFIF\0', 226: 'ICC_PROFILE\0', 238: 'Adobe' };
const COMMENT = 0xfe;

/** Null for a file that breaks off. */
export function stripJpeg(bytes: Uint8Array): BarePicture | null {
  const view = viewOf(bytes);
  const kept = [bytes.subarray(0, START_BYTES)];
  let orientation: Orientation = 1;
  for (let at = START_BYTES; at + 1 < bytes.length; ) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1] ?? 0;
    // Any number of bytes may fill the room before a marker.
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

/** Where the segment that begins at `at` ends, a scan's with the pixels that follow it; null beyond the end of the file. */
function endOfSegment(bytes: Uint8Array, view: DataView, at: number): number | null {
  if (at + 4 > bytes.length) return null;
  const end = at + 2 + view.getUint16(at + 2);
  if (end > bytes.length || end < at + 4) return null;
  return bytes[at + 1] === SCAN ? endOfPixels(bytes, end) : end;
}

/** Pixels go on to the next marker: 0xff 0x00 is a byte of theirs, and restarts, 0xd0 to 0xd7, stand among them. */
function endOfPixels(bytes: Uint8Array, from: number): number | null {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && (next < 0xd0 || next > 0xd7)) return at;
  }
  return null;
}
