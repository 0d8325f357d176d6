import { inflateSync } from 'node:zlib';

const CHANNELS: Record<number, number> = { 0: 1, 2: 3, 4: 2, 6: 4 };

/** Reads a PNG of eight bits a channel: enough for the codes that the Worker makes. */
export function readPng(png: Buffer) {
  const chunks = new Map<string, Buffer[]>();
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const name = png.toString('latin1', at + 4, at + 8);
    chunks.set(name, [...(chunks.get(name) ?? []), png.subarray(at + 8, at + 8 + length)]);
    at += length + 12;
  }
  const header = chunks.get('IHDR')?.[0];
  const channels = CHANNELS[header?.[9] ?? -1];
  if (header?.[8] !== 8 || header[12] !== 0 || !channels) throw new Error('Not a PNG that this can read');
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const pixels = unfilter(inflateSync(Buffer.concat(chunks.get('IDAT') ?? [])), width * channels, height, channels);
  const colourAt = (x: number, y: number) => [...pixels.subarray((y * width + x) * channels).subarray(0, channels)];
  return { width, height, colourAt, isDark: (x: number, y: number) => (colourAt(x, y)[0] ?? 255) < 128 };
}

function unfilter(raw: Buffer, stride: number, height: number, channels: number): Uint8Array {
  const pixels = new Uint8Array(stride * height);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (stride + 1)] ?? 0;
    for (let x = 0; x < stride; x++) {
      const at = y * stride + x;
      const left = x >= channels ? (pixels[at - channels] ?? 0) : 0;
      const up = y > 0 ? (pixels[at - stride] ?? 0) : 0;
      const corner = x >= channels && y > 0 ? (pixels[at - stride - channels] ?? 0) : 0;
      const predicted = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] ?? 0;
      pixels[at] = (raw[y * (stride + 1) + 1 + x] ?? 0) + predicted;
    }
  }
  return pixels;
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}
