/**
 * Our own capital letters, 14 units tall and drawn with one stroke like our icons, so that the pictures look the same on
 * every machine that builds the app, even without fonts.
 */
const LETTERS: Record<string, { width: number; path: string }> = {
  A: { width: 10, path: 'M0 14 5 0l5 14M1.8 9h6.4' },
  B: { width: 9.3, path: 'M0 0v14h5.5a3.75 3.75 0 0 0 0-7.5H0h5a3.25 3.25 0 0 0 0-6.5H0' },
  C: { width: 10, path: 'M10 3A5.5 7 0 1 0 10 11' },
  D: { width: 10, path: 'M0 0v14h4a6 7 0 0 0 0-14H0' },
  E: { width: 8, path: 'M8 0H0v14h8M0 7h7' },
  F: { width: 8, path: 'M8 0H0v14M0 7h7' },
  G: { width: 10.9, path: 'M10 3A5.5 7 0 1 0 10.9 8.2H6.5' },
  H: { width: 9.5, path: 'M0 0v14M9.5 0v14M0 7h9.5' },
  I: { width: 0, path: 'M0 0v14' },
  J: { width: 7, path: 'M7 0v10a3.5 4 0 0 1-7 0' },
  K: { width: 9.5, path: 'M0 0v14M9 0 0 8.5M3.6 5.4 9.5 14' },
  L: { width: 7.5, path: 'M0 0v14h7.5' },
  M: { width: 12, path: 'M0 14V0l6 9 6-9v14' },
  N: { width: 10, path: 'M0 14V0l10 14V0' },
  O: { width: 12, path: 'M6 0a6 7 0 1 0 .01 0Z' },
  P: { width: 9, path: 'M0 14V0h5a4 4 0 0 1 0 8H0' },
  Q: { width: 12, path: 'M6 0a6 7 0 1 0 .01 0ZM8 10l4 4' },
  R: { width: 9.5, path: 'M0 14V0h5a4 4 0 0 1 0 8H0m5 0 4.5 6' },
  S: {
    width: 9.3,
    path: 'M9 2.6C8 .8 6.4 0 4.6 0 2.2 0 .3 1.4.3 3.6c0 5 9 2 9 6.8 0 2.2-2.1 3.6-4.6 3.6C2.5 14 .8 13 0 11.2',
  },
  T: { width: 10, path: 'M0 0h10M5 0v14' },
  U: { width: 10, path: 'M0 0v9a5 5 0 0 0 10 0V0' },
  V: { width: 10, path: 'M0 0l5 14L10 0' },
  W: { width: 15, path: 'M0 0l3.7 14L7.5 3l3.8 11L15 0' },
  X: { width: 9, path: 'M0 0l9 14M9 0 0 14' },
  Y: { width: 10, path: 'M0 0l5 7 5-7M5 7v7' },
  Z: { width: 9, path: 'M0 0h9L0 14h9' },
  ',': { width: 0, path: 'M.4 13.6-.8 17' },
  '.': { width: 0, path: 'M0 14v.01' },
  "'": { width: 0, path: 'M0 0v3' },
  '?': { width: 7.5, path: 'M0 2.8C.6 1 2 0 3.8 0c2.2 0 3.7 1.4 3.7 3.4C7.5 6.2 3.8 6.4 3.8 9.6M3.8 14v.01' },
};
const SPACE = { width: 2, path: '' };
const GAP = 3.6;
const HEIGHT = 14;

type Line = { x: number; y: number; height: number; maxWidth: number; colour: string; weight: number };

/** @returns SVG of a line in capitals, scaled down if it would be too wide. */
export function writeLine(text: string, { x, y, height, maxWidth, colour, weight }: Line): string {
  let at = 0;
  const letters = [...text.normalize('NFD').toUpperCase().replace(/\p{M}/gu, '')].map((sign) => {
    const { width, path } = LETTERS[sign] ?? SPACE;
    const letter = path && `<path d="${path}" transform="translate(${at})"/>`;
    at += width + GAP;
    return letter;
  });
  const scale = Math.min(height / HEIGHT, maxWidth / (at - GAP));
  return `<g transform="translate(${x} ${y}) scale(${scale})" stroke="${colour}" stroke-width="${weight}">${letters.join('')}</g>`;
}
