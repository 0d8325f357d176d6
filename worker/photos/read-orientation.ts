/** A picture's orientation (EXIF tag 0x0112): 1 is upright; 2, 4, 5 and 7 are mirrored. */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

const ORIENTATION_TAG = 0x0112;
const SHORT = 3;
const ENTRY_BYTES = 12;

/** @param tiff the content of an EXIF block, from the TIFF header on. @returns 1 if it cannot be read. */
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
    // An offset points beyond the end.
    if (!(error instanceof RangeError)) throw error;
  }
  return 1;
}

function isOrientation(value: number): value is Orientation {
  return value >= 1 && value <= 8;
}

/** The transform that makes it upright. The platform flips first, then rotates. */
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

/** Whether width and height are swapped. */
export function liesOnItsSide(orientation: Orientation): boolean {
  return orientation >= 5;
}
