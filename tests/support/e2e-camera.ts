import { type Browser, expect, type LaunchOptions, type Page, type PlaywrightWorkerArgs } from '@playwright/test';
import { appOrigin, type Person } from './e2e-people.ts';

declare global {
  interface Window {
    /** Every track that the page got from the camera. */
    cameraTracks: MediaStreamTrack[];
  }
}

/** A browser with a camera that films what the file (y4m) shows, or else a test pattern. */
export function launchWithCamera(
  { chromium }: PlaywrightWorkerArgs['playwright'],
  options: LaunchOptions,
  film?: string,
): Promise<Browser> {
  const camera = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'];
  if (film) camera.push(`--use-file-for-fake-video-capture=${film}`);
  return chromium.launch({ ...options, args: [...(options.args ?? []), ...camera] });
}

/** Opens the path as the person, and keeps an eye on what the page gets from the camera. */
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
