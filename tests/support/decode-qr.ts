import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import type { BrowserContext } from '@playwright/test';
import { PROJECT_ROOT } from '#scripts/command/command.ts';

const CHANNELS: Record<number, number> = { 0: 1, 2: 3, 4: 2, 6: 4 };

/** Reads a PNG with eight bits a channel, the format of the Worker's QR codes. */
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

const DECODER = join(PROJECT_ROOT, 'node_modules/html5-qrcode/html5-qrcode.min.js');

type Decoder = { Html5Qrcode: new (elementId: string) => { scanFile(file: File, show: boolean): Promise<string> } };

/**
 * The sizes to try in turn, as the app does (web/communities/list/scanner-dialog.tsx): at each size the scanner misses
 * some valid codes.
 */
const SCALES = [1, 0.8, 0.6];

/** @returns the text of the QR code in the picture, read by the app's scanner; null if there is no QR code. */
export async function decodeQr(context: BrowserContext, png: Buffer): Promise<string | null> {
  const page = await context.newPage();
  await page.setContent('<div id="reader"></div>');
  await page.addScriptTag({ path: DECODER });
  const content = await page.evaluate(
    async ({ base64, scales }) => {
      const { Html5Qrcode } = window as unknown as Decoder;
      const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
      const picture = await createImageBitmap(new Blob([bytes]));
      for (const scale of scales) {
        const canvas = new OffscreenCanvas(picture.width * scale, picture.height * scale);
        canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
        const file = new File([await canvas.convertToBlob()], 'code.png', { type: 'image/png' });
        const text = await new Html5Qrcode('reader').scanFile(file, false).catch(() => null);
        if (text !== null) return text;
      }
      return null;
    },
    { base64: png.toString('base64'), scales: SCALES },
  );
  await page.close();
  return content;
}
