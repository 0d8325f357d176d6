import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { POST_KINDS } from '#contract/kinds.ts';
import { LANGUAGES } from '#contract/language.ts';
import { PREVIEW_HEIGHT, PREVIEW_STATES, PREVIEW_WIDTH } from '#contract/links.ts';
import { drawPreview, type PreviewTexts, writeLine } from '#scripts/build/preview-pictures.ts';
import { PROJECT_ROOT } from '#scripts/command/command.ts';

const WEIGHT_MAX_BYTES = 100 * 1024;
const LINE = { x: 0, y: 0, height: 14, maxWidth: 1_000, colour: '#000000', weight: 2 };

function readTexts(language: string): PreviewTexts {
  return JSON.parse(
    readFileSync(join(PROJECT_ROOT, `locales/${language}/outside/previews.json`), 'utf8'),
  ) as PreviewTexts;
}

test.each(LANGUAGES)('%s has a different picture, readable in any chat, for each kind and state', async (language) => {
  const pictures = new Set<string>();
  for (const kind of POST_KINDS) {
    for (const state of PREVIEW_STATES) {
      const picture = await drawPreview(readTexts(language), kind, state);
      const { format, width, height } = await sharp(picture).metadata();
      expect([format, width, height]).toEqual(['jpeg', PREVIEW_WIDTH, PREVIEW_HEIGHT]);
      expect(picture.length).toBeLessThan(WEIGHT_MAX_BYTES);
      pictures.add(picture.toString('base64'));
    }
  }
  expect(pictures.size).toBe(POST_KINDS.length * PREVIEW_STATES.length);
});

test.each(LANGUAGES)('our font has a letter for every text on the pictures in %s', (language) => {
  const texts = Object.values(readTexts(language)).flatMap((group) => Object.values(group));
  for (const text of texts) {
    expect(writeLine(text, LINE).match(/<path/g), text).toHaveLength(text.replaceAll(' ', '').length);
  }
});

test('a line that is too wide is scaled down, and a line with an unknown character is drawn without it', () => {
  const scaleOf = (text: string, maxWidth: number) =>
    Number(/scale\(([\d.]+)\)/.exec(writeLine(text, { ...LINE, maxWidth }))?.[1]);
  expect(scaleOf('MMMM', 1_000)).toBe(1);
  expect(scaleOf('MMMM', 30)).toBeLessThan(0.6);
  expect(writeLine('Pérdu <', LINE).match(/<path/g)).toHaveLength(5);
});
