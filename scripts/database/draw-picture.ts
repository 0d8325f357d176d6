import { crc32, deflateSync } from 'node:zlib';

type Colour = readonly [red: number, green: number, blue: number];
/** A box by its corner and size, or a disc by its centre and radius, drawn over the previous shapes. */
export type Shape =
  | { box: readonly [x: number, y: number, width: number, height: number]; colour: Colour }
  | { disc: readonly [x: number, y: number, radius: number]; colour: Colour };

const [WIDTH, HEIGHT] = [640, 480];
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Draws shapes on a background of one colour. @returns a PNG of 640 × 480. */
export function drawPicture(ground: Colour, shapes: readonly Shape[]): Buffer {
  const rows = Array.from({ length: HEIGHT }, (_, y) => {
    const pixels = Array.from(
      { length: WIDTH },
      (__, x) => shapes.findLast((shape) => covers(shape, x, y))?.colour ?? ground,
    );
    // Each row begins with its filter type: none.
    return Buffer.from([0, ...pixels.flat()]);
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(HEIGHT, 4);
  // Eight bits per channel, RGB.
  header.set([8, 2], 8);
  const parts = [
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ];
  return Buffer.concat([SIGNATURE, ...parts]);
}

function covers(shape: Shape, x: number, y: number): boolean {
  if ('disc' in shape) return Math.hypot(x - shape.disc[0], y - shape.disc[1]) <= shape.disc[2];
  const [left, top, width, height] = shape.box;
  return x >= left && x < left + width && y >= top && y < top + height;
}

function chunk(name: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
