import { create, toBuffer } from 'qrcode/lib/server.js';

const MIN_PIXELS = 512;
/** The quiet zone that the standard requires: scanners need a white border. */
const QUIET_ZONE_MODULES = 4;
const ERROR_CORRECTION = 'M';

/** @returns a PNG in base64. Every module is a whole number of pixels, so that edges stay sharp in print. */
export async function makeQrCode(content: string): Promise<string> {
  const { modules } = create(content, { errorCorrectionLevel: ERROR_CORRECTION });
  const scale = Math.ceil(MIN_PIXELS / (modules.size + 2 * QUIET_ZONE_MODULES));
  const png = await toBuffer(content, { errorCorrectionLevel: ERROR_CORRECTION, margin: QUIET_ZONE_MODULES, scale });
  return png.toString('base64');
}
