import { writeFileSync } from 'node:fs';
import { readPng } from './read-png.ts';

const WIDTH = 640;
const HEIGHT = 480;
/** So large that the scanner's box of 250 px holds it on a desk's screen as on a phone's. */
const CODE_SIDE = 320;
const FRAMES = 10;

/** Writes a film (raw y4m) of the code on white paper, such as Chromium's fake camera shows over and over. */
export function writeQrVideo(png: Buffer, path: string): void {
  const { width, isDark } = readPng(png);
  const luma = Buffer.alloc(WIDTH * HEIGHT, 235);
  const [left, top] = [(WIDTH - CODE_SIDE) / 2, (HEIGHT - CODE_SIDE) / 2];
  for (let y = 0; y < CODE_SIDE; y++) {
    for (let x = 0; x < CODE_SIDE; x++) {
      const at = (pixel: number) => Math.floor(((pixel + 0.5) * width) / CODE_SIDE);
      if (isDark(at(x), at(y))) luma[(top + y) * WIDTH + left + x] = 16;
    }
  }
  const noColour = Buffer.alloc((WIDTH * HEIGHT) / 2, 128);
  const frame = Buffer.concat([Buffer.from('FRAME\n'), luma, noColour]);
  const header = Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F10:1 Ip A1:1 C420jpeg\n`);
  writeFileSync(path, Buffer.concat([header, ...Array.from({ length: FRAMES }, () => frame)]));
}
