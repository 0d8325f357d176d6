import { type BarePicture, concat, nameAt, viewOf } from './picture-bytes.ts';
import { type Orientation, readOrientation } from './read-orientation.ts';

const SIGNATURE_BYTES = 8;
/** A chunk's length and name before its data, and the checksum after it. */
const FRAME_BYTES = 12;

/** The chunks with the pixels and their colours. */
const KEPT = new Set(['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'iCCP', 'sBIT']);

/** Null for a truncated file. */
export function stripPng(bytes: Uint8Array): BarePicture | null {
  const view = viewOf(bytes);
  const kept = [bytes.subarray(0, SIGNATURE_BYTES)];
  let orientation: Orientation = 1;
  for (let at = SIGNATURE_BYTES; at + FRAME_BYTES <= bytes.length; ) {
    const end = at + FRAME_BYTES + view.getUint32(at);
    if (end > bytes.length) return null;
    const name = nameAt(bytes, at + 4);
    const chunk = bytes.subarray(at, end);
    if (name === 'eXIf') orientation = readOrientation(chunk.subarray(8, -4));
    if (KEPT.has(name)) kept.push(chunk);
    if (name === 'IEND') return { bytes: concat(kept), orientation };
    at = end;
  }
  return null;
}
