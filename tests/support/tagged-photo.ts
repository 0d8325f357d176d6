import type { Page } from '@playwright/test';

const [SOI_BYTES, APP1, APP2] = [2, 0xe1, 0xe2];
/** The metadata with which an upright camera marks its picture as rotated. */
const TURN_RIGHT = 6;

/** A photo as a phone stores it: rotated, with its orientation, the place, an XMP note and a colour profile. */
export async function takePhoto(page: Page): Promise<Buffer> {
  const jpeg = Buffer.from(await page.evaluate(paint), 'base64');
  const tags = [
    segment(APP1, Buffer.from('Exif\0\0'), exif()),
    segment(
      APP1,
      Buffer.from('http://ns.adobe.com/xap/1.0/\0'),
      Buffer.from('<x:xmpmeta>Nyumbani kwa Asha</x:xmpmeta>'),
    ),
    segment(APP2, Buffer.from('ICC_PROFILE\0\x01\x01'), Buffer.alloc(128, 'icc')),
  ];
  return Buffer.concat([jpeg.subarray(0, SOI_BYTES), ...tags, jpeg.subarray(SOI_BYTES)]);
}

/** Red on the left and blue on the right; upright it is red at the top and blue at the bottom. */
async function paint(): Promise<string> {
  const canvas = Object.assign(document.createElement('canvas'), { width: 1600, height: 1200 });
  const context = canvas.getContext('2d');
  if (!context) throw new Error('No canvas');
  context.fillStyle = 'red';
  context.fillRect(0, 0, 800, 1200);
  context.fillStyle = 'blue';
  context.fillRect(800, 0, 800, 1200);
  return canvas.toDataURL('image/jpeg', 0.9).split(',')[1] ?? '';
}

function segment(marker: number, name: Buffer, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(2 + name.length + content.length, 2);
  return Buffer.concat([head, name, content]);
}

/** Orientation, and 6° 48' south, 39° 17' east. */
function exif(): Buffer {
  const gpsAt = 8 + 2 + 2 * 12 + 4;
  const coordinatesAt = gpsAt + 2 + 4 * 12 + 4;
  return Buffer.concat([
    Buffer.from('MM\0*\0\0\0\x08'),
    directory([entry(0x0112, 3, 1, TURN_RIGHT << 16), entry(0x8825, 4, 1, gpsAt)]),
    directory([
      entry(1, 2, 2, 'S'.charCodeAt(0) << 24),
      entry(2, 5, 3, coordinatesAt),
      entry(3, 2, 2, 'E'.charCodeAt(0) << 24),
      entry(4, 5, 3, coordinatesAt + 24),
    ]),
    numbers(6, 1, 48, 1, 0, 1, 39, 1, 17, 1, 0, 1),
  ]);
}

function directory(entries: Buffer[]): Buffer {
  return Buffer.concat([Buffer.from([0, entries.length]), ...entries, numbers(0)]);
}

function entry(tag: number, type: number, count: number, value: number): Buffer {
  const bytes = Buffer.alloc(12);
  bytes.writeUInt16BE(tag, 0);
  bytes.writeUInt16BE(type, 2);
  bytes.writeUInt32BE(count, 4);
  bytes.writeInt32BE(value, 8);
  return bytes;
}

function numbers(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, at * 4);
  return bytes;
}
