import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import type { Plugin, ResolvedConfig } from 'vite';
import { POST_KINDS, type PostedBy, type PostKind } from '#contract/kinds.ts';
import { LANGUAGES } from '#contract/language.ts';
import { PREVIEW_HEIGHT, PREVIEW_STATES, PREVIEW_WIDTH, type PreviewState, previewPath } from '#contract/links.ts';
import { PROJECT_ROOT } from '#scripts/command/command.ts';

export type PreviewTexts = {
  kinds: Record<PostKind, string>;
  states: Record<PreviewState, string>;
  questions: Record<PostedBy, string>;
};

const PAPER = '#fdfaf5';
const INK = '#1f1b2d';
const ACCENT = '#3b2f8f';
const GREEN = '#14643c';
const COLOURS: Record<PreviewState, string> = { owner: '#8a4b00', finder: GREEN, returned: GREEN };

/**
 * The check mark in the picture of a returned item. The picture of a lost or found item shows a question, such as "Is
 * it yours?", in the same place.
 */
const CHECK = `<path d="M96 490l28 28 60-66" stroke="${GREEN}" stroke-width="12"/>`;

/** The drawing for each kind of item, on a grid of 24 units like the app's icons. */
const DRAWINGS: Record<PostKind, string> = {
  document:
    'M3 5h18v14H3ZM6.2 15.8a2.8 2.8 0 0 1 5.6 0M9 11.5A1.75 1.75 0 1 0 9 8a1.75 1.75 0 0 0 0 3.5M14.5 9h3.5M14.5 12h3.5M14.5 15h2',
  electronics:
    'M8.5 2.5h7a1.5 1.5 0 0 1 1.5 1.5v16a1.5 1.5 0 0 1-1.5 1.5h-7A1.5 1.5 0 0 1 7 20V4a1.5 1.5 0 0 1 1.5-1.5ZM11 18.5h2',
  bag: 'M4.5 8.5h15l1 12h-17ZM8.5 11.5V7a3.5 3.5 0 0 1 7 0v4.5',
  key: 'M7.5 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8M11.5 12h10v3.5M17.5 12v3',
  wear: 'M8.5 3.5 3 6.5l1.8 4.5L7.5 10v10.5h9V10l2.7 1L21 6.5l-5.5-3a3.5 3.5 0 0 1-7 0',
  animal:
    'M12 12.5c-3 0-5.5 3-5.5 5.2 0 1.6 1.2 2.3 2.6 2.3 1.2 0 1.8-.6 2.9-.6s1.7.6 2.9.6c1.4 0 2.6-.7 2.6-2.3 0-2.2-2.5-5.2-5.5-5.2M3.4 11a1.6 2 0 1 0 3.2 0 1.6 2 0 1 0-3.2 0M7.4 6.5a1.6 2.2 0 1 0 3.2 0 1.6 2.2 0 1 0-3.2 0M13.4 6.5a1.6 2.2 0 1 0 3.2 0 1.6 2.2 0 1 0-3.2 0M17.4 11a1.6 2 0 1 0 3.2 0 1.6 2 0 1 0-3.2 0',
  vehicle: 'M3 16.5V12l2.2-5.5h13.6L21 12v4.5ZM3 12h18M5.5 16.5V19M18.5 16.5V19M6.3 14.3h1.4M16.3 14.3h1.4',
  other: 'M4 4h8l8 8-8 8-8-8V4Zm4.5 4.5v.1',
};

/** Draws the link previews of posts without a photo: a picture for each kind, state and language. */
export function previewPictures(): Plugin {
  let config: ResolvedConfig;
  return {
    name: 'preview-pictures',
    apply: 'build',
    configResolved(resolved) {
      config = resolved;
    },
    async writeBundle({ dir = config.build.outDir }) {
      for (const language of LANGUAGES) {
        const texts = JSON.parse(
          await readFile(join(PROJECT_ROOT, `locales/${language}/outside/previews.json`), 'utf8'),
        ) as PreviewTexts;
        for (const kind of POST_KINDS) {
          for (const state of PREVIEW_STATES) {
            const file = join(dir, previewPath(kind, state, language));
            await mkdir(dirname(file), { recursive: true });
            await writeFile(file, await drawPreview(texts, kind, state));
          }
        }
      }
    },
  };
}

/** Draws a link preview, and returns it as a JPEG. */
export function drawPreview(texts: PreviewTexts, kind: PostKind, state: PreviewState): Promise<Buffer> {
  const colour = COLOURS[state];
  const left = { x: 96, maxWidth: 624 };
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${PREVIEW_WIDTH}" height="${PREVIEW_HEIGHT}">
    <rect width="100%" height="100%" fill="${PAPER}"/>
    ${drawBorder(0)}${drawBorder(PREVIEW_HEIGHT - 36)}
    <g fill="none" stroke-linecap="round" stroke-linejoin="round">
      ${writeLine('Patikana', { ...left, y: 104, height: 34, colour: ACCENT, weight: 2.4 })}
      ${writeLine(texts.states[state], { ...left, y: 204, height: 84, colour, weight: 2.6 })}
      ${writeLine(texts.kinds[kind], { ...left, y: 344, height: 52, colour: INK, weight: 2 })}
      ${state === 'returned' ? CHECK : writeLine(texts.questions[state], { ...left, y: 464, height: 42, colour: ACCENT, weight: 2 })}
      <circle cx="954" cy="315" r="186" fill="#ffffff" stroke="${colour}" stroke-width="10"/>
      <path d="${DRAWINGS[kind]}" transform="translate(822 183) scale(11)" stroke="${colour}" stroke-width="1.3"/>
    </g>
  </svg>`;
  return sharp(Buffer.from(svg)).jpeg({ quality: 75, mozjpeg: true }).toBuffer();
}

/** Returns a border of triangles, like the border of a kanga (an East African printed cloth). */
function drawBorder(y: number): string {
  const points = Array.from({ length: PREVIEW_WIDTH / 48 }, (_, at) => `M${48 * at} ${y + 36}l24-36 24 36Z`);
  return `<rect y="${y}" width="100%" height="36" fill="${ACCENT}"/><path d="${points.join('')}" fill="#f2b632"/>`;
}

/**
 * Capital letters, 14 units tall and drawn with one stroke like the app's icons. Drawn letters look the same on every
 * machine that builds the app, even if the machine has no fonts.
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

/** Returns a line of text in capitals as SVG, scaled down if the line is wider than `maxWidth`. */
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
