import { expect, test } from 'vitest';
import { newAccessCode, newCommunityCode, parseCode } from '#worker/communities/codes.ts';
import { mostActiveLocation } from '#worker/communities/community-rules.ts';

test('a joining code has ten characters that nobody mistakes for another', () => {
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
])('%j is read as %j', (typed, code) => {
  expect(parseCode(typed)).toBe(code);
});

test('the busiest location is found whatever the case it is typed in', () => {
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
  // Of as many the first one, which was posted at last.
  const [ubungo, mbezi] = [
    { location: 'Ubungo', posts: 2 },
    { location: 'Mbezi', posts: 2 },
  ];
  expect([mostActiveLocation([ubungo, mbezi]), mostActiveLocation([mbezi, ubungo])]).toEqual(['Ubungo', 'Mbezi']);
});
