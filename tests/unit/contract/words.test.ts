import { expect, test } from 'vitest';
import { isFieldMessage } from '#contract/field-message.ts';
import { formatAgeIn } from '#contract/format-age.ts';
import { foldIdentifier, isIdentifier } from '#contract/identifiers.ts';
import { hasJoinLink, joinLink, joinPath, readJoinCode } from '#contract/join-link.ts';
import { FALLBACK_LANGUAGE, isLanguage, LANGUAGES, localeOf, nameOf } from '#contract/language.ts';
import { previewPath, sharePath, sharePathIn } from '#contract/sharing.ts';

const NOW = Date.parse('2026-11-23T12:00:00Z');
const SECOND_MS = 1_000;
const DAY = 86_400;

test.each([
  [0, 'now'],
  [59, 'now'],
  [60, '1 minute ago'],
  [3_599, '59 minutes ago'],
  [3_600, '1 hour ago'],
  [DAY - 1, '23 hours ago'],
  [DAY, 'yesterday'],
  [7 * DAY - 1, '6 days ago'],
  [7 * DAY, 'last week'],
  [30 * DAY - 1, '4 weeks ago'],
  [30 * DAY, 'last month'],
  [365 * DAY - 1, '12 months ago'],
  [365 * DAY, 'last year'],
  [730 * DAY, '2 years ago'],
  [-2 * DAY, 'in 2 days'],
])('%i seconds ago is %s', (seconds, words) =>
  expect(formatAgeIn('en', new Date(NOW - seconds * SECOND_MS).toISOString(), NOW)).toBe(words),
);

test('an age is in the reader’s language', () => {
  expect(formatAgeIn('sw', new Date(NOW - 3 * 3_600 * SECOND_MS).toISOString(), NOW)).toBe('saa 3 zilizopita');
});

test('our languages have their own names and their country’s dates', () => {
  expect(LANGUAGES.map((language) => [language, nameOf(language), localeOf(language)])).toEqual([
    ['en', 'English', 'en-GB'],
    ['sw', 'Kiswahili', 'sw-TZ'],
  ]);
  expect(FALLBACK_LANGUAGE).toBe('en');
  expect(['en', 'sw', 'fr', '', null].map(isLanguage)).toEqual([true, true, false, false, false]);
});

test.each([
  ['ab-12 34/5', 'A812345'],
  ['Oisb', '0158'],
  ['ＡＢ１２３', 'A8123'],
  ['XYZ QCD', 'XYZQCD'],
])('the number %s is compared as %s', (typed, folded) => expect(foldIdentifier(typed)).toBe(folded));

test.each([
  ['AXC123', true],
  ['AC123', false],
  ['ACX12Z', false],
  ['1'.repeat(40), true],
  ['1'.repeat(41), false],
])('%s is a number that identifies a thing: %s', (typed, is) => expect(isIdentifier(typed)).toBe(is));

test('a join link has the code, however it is pasted', () => {
  expect(joinPath('A/B C')).toBe('/communities?join=A%2FB%20C');
  expect(joinLink('https://patikana.test', 'ABC')).toBe('https://patikana.test/communities?join=ABC');
  expect(readJoinCode(`Karibu! ${joinLink('https://patikana.test', 'A B')}&x=1 sasa`)).toBe('A B');
  expect(readJoinCode('https://patikana.test/communities?x=1&JOIN=ABC#top')).toBe('ABC');
  expect(readJoinCode(' abc-def \n')).toBe('abc-def');
  expect(readJoinCode(' 100% ')).toBe('100%');
});

test.each([
  ['/communities?join=A', true],
  ['?x=1&JOIN=A', true],
  ['/communities?join=', false],
  ['join=A', false],
])('%s lets somebody in: %s', (text, has) => expect(hasJoinLink(text)).toBe(has));

test('a post is shared by its short address, in the sender’s language', () => {
  expect(sharePath('a/b')).toBe('/p/a%2Fb');
  expect(sharePathIn('sw', 'a')).toBe('/p/a?lang=sw');
  expect(previewPath('bag', 'owner', 'en')).toBe('/previews/bag-owner-en.jpg');
});

test('only what has a sentence is a message of ours', () => {
  expect(['text_invalid', 'position_invalid', 'Invalid input', ''].map(isFieldMessage)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
