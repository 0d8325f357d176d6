import { writeFileSync } from 'node:fs';
import { readPng } from './read-png.ts';

const WIDTH = 640;
const HEIGHT = 480;
/**
 * So large that the scanner's box of 250 px holds it on a desk's screen as on a phone's; another in each frame, as in a hand: of good
 * codes the scanner misses one in twenty-five, but others at another size.
 */
const CODE_SIDES = [320, 316, 312, 308, 304, 300, 296, 292, 288, 284];
const BLACK = 16;
const WHITE = 235;

/** Writes a film (raw y4m) of the code on its paper, such as Chromium's fake camera shows over and over. */
export function writeQrVideo(png: Buffer, path: string): void {
  const { width, isDark } = readPng(png);
  const draw = (side: number): Buffer => {
    const luma = Buffer.alloc(WIDTH * HEIGHT, WHITE);
    const [left, top] = [(WIDTH - side) / 2, (HEIGHT - side) / 2];
    for (let y = 0; y < side; y++) {
      for (let x = 0; x < side; x++) {
        const at = (pixel: number) => Math.floor(((pixel + 0.5) * width) / side);
        luma[(top + y) * WIDTH + left + x] = isDark(at(x), at(y)) ? BLACK : WHITE;
      }
    }
    return luma;
  };
  const noColour = Buffer.alloc((WIDTH * HEIGHT) / 2, 128);
  const frames = CODE_SIDES.map((side) => Buffer.concat([Buffer.from('FRAME\n'), draw(side), noColour]));
  const header = Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F10:1 Ip A1:1 C420jpeg\n`);
  writeFileSync(path, Buffer.concat([header, ...frames]));
}
