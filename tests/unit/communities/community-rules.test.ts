import { create } from 'qrcode';
import { expect, test } from 'vitest';
import { joinLink } from '#contract/links.ts';
import { readPng } from '#tests/support/decode-qr.ts';
import { newAccessCode, newCommunityCode } from '#worker/communities/find-community.ts';
import { mostActiveLocation } from '#worker/communities/present-community.ts';
import { makeQrCode } from '#worker/communities/read-community.ts';
import { parseCode } from '#worker/conditions/communities.ts';

test('an access code has ten characters, none of which look alike', () => {
  const codes = Array.from({ length: 500 }, newAccessCode);
  for (const code of codes) expect(code).toMatch(/^[A-HJKMNP-Z2-9]{10}$/);
  expect(new Set(codes).size).toBe(500);
  expect(new Set(codes.join('')).size).toBe(31);
  expect(newCommunityCode()).toHaveLength(8);
});

test.each([
  ['abcde23456', 'ABCDE23456'],
  [' ABCDE 23456\n', 'ABCDE23456'],
  ['ab-cde–23456', 'ABCDE23456'],
  ['https://patikana.co.tz/communities?join=ABCDE23456', 'ABCDE23456'],
  ['HTTPS://PATIKANA.CO.TZ/COMMUNITIES?JOIN=ABCDE23456', 'ABCDE23456'],
  ['/communities?lang=sw&join=abcde%2D23456&utm=x#top', 'ABCDE23456'],
  ['/communities?join=%E0%A4%A', 'E0A4A'],
  ['', ''],
])('the pasted access code %j is read as %j', (typed, code) => {
  expect(parseCode(typed)).toBe(code);
});

test('the most active location of a community is determined without regard to upper and lower case', () => {
  expect(mostActiveLocation([])).toBeNull();
  expect(mostActiveLocation([{ location: '  ', posts: 9 }])).toBeNull();
  expect(
    mostActiveLocation([
      { location: 'Ubungo', posts: 3 },
      { location: 'École', posts: 2 },
      { location: 'ÉCOLE ', posts: 2 },
    ]),
  ).toBe('École');
  expect(mostActiveLocation([{ location: ' UBUNGO ', posts: 1 }])).toBe('UBUNGO');
  // If two locations have equally many posts, the first in the list wins, because the query lists the location
  // with the newer post first.
  const [ubungo, mbezi] = [
    { location: 'Ubungo', posts: 2 },
    { location: 'Mbezi', posts: 2 },
  ];
  expect([mostActiveLocation([ubungo, mbezi]), mostActiveLocation([mbezi, ubungo])]).toEqual(['Ubungo', 'Mbezi']);
});

test.each(['https://patikana.tz', 'http://localhost:8787', `https://${'a'.repeat(60)}.workers.dev`])(
  'the QR code of a join link with the origin %s has a margin of four white modules, and error correction level M',
  async (origin) => {
    const link = joinLink(origin, 'ABCDE23456');
    expect(link).toBe(`${origin}/communities?join=ABCDE23456`);
    const { width, height, isDark } = readPng(Buffer.from(await makeQrCode(link), 'base64'));
    expect(width).toBe(height);
    expect(width).toBeGreaterThanOrEqual(512);

    // Encodes the same link at error correction M. The picture must equal this code module by module, with four white
    // modules around it.
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
