import { create } from 'qrcode';
import { expect, test } from 'vitest';
import { joinLink } from '#contract/join-link.ts';
import { readPng } from '#tests/support/read-png.ts';
import { makeQrCode } from '#worker/communities/qr-code.ts';

test.each(['https://patikana.tz', 'http://localhost:8787', `https://${'a'.repeat(60)}.workers.dev`])(
  'the code for %s is the join link, large, with its quiet zone and error correction M',
  async (origin) => {
    const link = joinLink(origin, 'ABCDE23456');
    expect(link).toBe(`${origin}/communities?join=ABCDE23456`);
    const { width, height, isDark } = readPng(Buffer.from(await makeQrCode(link), 'base64'));
    expect(width).toBe(height);
    expect(width).toBeGreaterThanOrEqual(512);

    // The same link encoded at error correction M, module by module, four white modules around it.
    const { modules } = create(link, { errorCorrectionLevel: 'M' });
    const scale = width / (modules.size + 8);
    expect(Number.isInteger(scale)).toBe(true);
    for (let y = -4; y < modules.size + 4; y++) {
      for (let x = -4; x < modules.size + 4; x++) {
        const isInside = x >= 0 && y >= 0 && x < modules.size && y < modules.size;
        const expected = isInside && modules.get(y, x) === 1;
        const middle = (module: number) => Math.floor((module + 4.5) * scale);
        expect(isDark(middle(x), middle(y)), `${x},${y}`).toBe(expected);
      }
    }
  },
);
