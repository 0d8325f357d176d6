import { expect, test } from 'vitest';
import { chooseShareLanguage, formatShareDate, summarise, toPlainLine } from '#worker/sharing/share-rules.ts';

const FAMILY = '👨‍👩‍👧';

test.each([
  ['what fits', 'x'.repeat(200), 'x'.repeat(200)],
  ['what is too long', 'x'.repeat(201), `${'x'.repeat(199)}…`],
  ['where a space would come last', `${'x'.repeat(198)} ${'y'.repeat(9)}`, `${'x'.repeat(198)}…`],
  ['where a sign would be cut in two', `${'x'.repeat(195)}${FAMILY}${'y'.repeat(9)}`, `${'x'.repeat(195)}…`],
])('a summary has at most 200 characters: %s', (_what, line, summary) => {
  expect(summarise(line)).toBe(summary);
});

test('a title is one line, which turns nothing around it', () => {
  expect(toPlainLine(' Simu\r\n\tya\u0007  \u202eTecno\u2069 \u200f')).toBe('Simu ya Tecno');
});

test('the day of a post is that of Dar es Salaam, in the reader’s words', () => {
  expect(formatShareDate('2026-11-20T20:59:59.999Z', 'en')).toBe('20 November 2026');
  expect(formatShareDate('2026-11-20T21:00:00.000Z', 'en')).toBe('21 November 2026');
  expect(formatShareDate('2026-01-20T21:00:00.000Z', 'sw')).toBe('21 Januari 2026');
});

test('the link’s language comes before the browser’s, and Swahili after both', () => {
  expect(chooseShareLanguage('en', 'sw')).toBe('en');
  expect(chooseShareLanguage('de', 'en')).toBe('en');
  expect(chooseShareLanguage(undefined, undefined)).toBe('sw');
});
