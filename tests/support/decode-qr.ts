import { join } from 'node:path';
import type { BrowserContext } from '@playwright/test';
import { PROJECT_ROOT } from '#scripts/command/project-root.ts';

const DECODER = join(PROJECT_ROOT, 'node_modules/html5-qrcode/html5-qrcode.min.js');

type Decoder = { Html5Qrcode: new (elementId: string) => { scanFile(file: File, show: boolean): Promise<string> } };

/** @returns what the code in the picture says, as the app's own scanner reads it; null for none. */
export async function decodeQr(context: BrowserContext, png: Buffer): Promise<string | null> {
  const page = await context.newPage();
  await page.setContent('<div id="reader"></div>');
  await page.addScriptTag({ path: DECODER });
  const content = await page.evaluate(async (base64) => {
    const { Html5Qrcode } = window as unknown as Decoder;
    const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
    return new Html5Qrcode('reader')
      .scanFile(new File([bytes], 'code.png', { type: 'image/png' }), false)
      .catch(() => null);
  }, png.toString('base64'));
  await page.close();
  return content;
}
