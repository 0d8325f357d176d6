import { join } from 'node:path';
import type { BrowserContext } from '@playwright/test';
import { PROJECT_ROOT } from '#scripts/command/project-root.ts';

const DECODER = join(PROJECT_ROOT, 'node_modules/html5-qrcode/html5-qrcode.min.js');

type Decoder = { Html5Qrcode: new (elementId: string) => { scanFile(file: File, show: boolean): Promise<string> } };

/** One after the other, as the app reads a photo (web/communities/read-photo.ts): at each size the scanner misses some good codes. */
const SCALES = [1, 0.8, 0.6];

/** @returns what the code in the picture says, as the app's own scanner reads it; null for none. */
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
