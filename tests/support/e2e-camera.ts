import { writeFileSync } from 'node:fs';
import { type Browser, expect, type LaunchOptions, type Page, type PlaywrightWorkerArgs } from '@playwright/test';
import { readPng } from './decode-qr.ts';
import { appOrigin, type Person } from './e2e-people.ts';

const WIDTH = 640;
const HEIGHT = 480;
/**
 * Large enough that the scanner's box of 250 px contains it on a phone and on a desktop. It moves in each frame, as in
 * a hand: at one size the scanner misses one valid code in twenty-five, but others at another size.
 */
const CODE_SIDES = [320, 316, 312, 308, 304, 300, 296, 292, 288, 284];
const BLACK = 16;
const WHITE = 235;

/** Writes a video (raw y4m) of the printed code for Chromium's fake camera, which repeats it. */
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

declare global {
  interface Window {
    /** Every track that the page received from the camera. */
    cameraTracks: MediaStreamTrack[];
  }
}

/** A browser whose camera films the file (y4m), or a test pattern. */
export function launchWithCamera(
  { chromium }: PlaywrightWorkerArgs['playwright'],
  options: LaunchOptions,
  film?: string,
): Promise<Browser> {
  const camera = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'];
  if (film) camera.push(`--use-file-for-fake-video-capture=${film}`);
  return chromium.launch({ ...options, args: [...(options.args ?? []), ...camera] });
}

/** Opens the path as the person, and records the camera tracks that the page receives. */
export async function openWithCamera(browser: Browser, person: Person, path: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: appOrigin(), permissions: ['camera'] });
  await context.addInitScript(({ token, id }) => {
    localStorage.setItem('token', token);
    localStorage.setItem('userID', id);
    localStorage.setItem('i18nextLng', 'en');
    window.cameraTracks = [];
    const media = navigator.mediaDevices;
    const getUserMedia = media.getUserMedia.bind(media);
    media.getUserMedia = async (constraints) => {
      const stream = await getUserMedia(constraints);
      window.cameraTracks.push(...stream.getTracks());
      return stream;
    };
  }, person);
  const page = await context.newPage();
  await page.goto(path);
  return page;
}

export async function expectCameraReleased(page: Page): Promise<void> {
  const readStates = () => page.evaluate(() => window.cameraTracks.map((track) => track.readyState));
  expect(await readStates()).not.toEqual([]);
  await expect.poll(readStates).not.toContain('live');
}
