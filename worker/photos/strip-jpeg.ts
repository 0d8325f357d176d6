import { type BarePicture, concat, startsWith, viewOf } from './picture-bytes.ts';
import { type Orientation, readOrientation } from './read-orientation.ts';

const START_BYTES = 2;
const END = 0xd9;
const SCAN = 0xda;
const EXIF = 'Exif\0\0';

/** The application segments (APP0 to APP15) that affect the pixels or their colours; all others are dropped. */
const KEPT_APPLICATIONS: Record<number, string> = { 224: 'JFIF\0', 226: 'ICC_PROFILE\0', 238: 'Adobe' };
const COMMENT = 0xfe;

/** Null for a truncated file. */
export function stripJpeg(bytes: Uint8Array): BarePicture | null {
  const view = viewOf(bytes);
  const kept = [bytes.subarray(0, START_BYTES)];
  let orientation: Orientation = 1;
  for (let at = START_BYTES; at + 1 < bytes.length; ) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1] ?? 0;
    // Any number of fill bytes may precede a marker.
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

/** The end of the segment at `at`, including the pixels after a scan header; null if it is beyond the end of the file. */
function endOfSegment(bytes: Uint8Array, view: DataView, at: number): number | null {
  if (at + 4 > bytes.length) return null;
  const end = at + 2 + view.getUint16(at + 2);
  if (end > bytes.length || end < at + 4) return null;
  return bytes[at + 1] === SCAN ? endOfPixels(bytes, end) : end;
}

/** Pixels end at the next marker, except 0xff 0x00, an escaped byte, and the restart markers 0xd0 to 0xd7. */
function endOfPixels(bytes: Uint8Array, from: number): number | null {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && (next < 0xd0 || next > 0xd7)) return at;
  }
  return null;
}
