import { expect, test } from 'vitest';
import { exportSchema, registrationSchema } from '#contract/accounts.ts';
import { communityInputSchema, joinInputSchema } from '#contract/communities.ts';
import { ENDPOINTS, type Endpoint } from '#contract/endpoints.ts';
import { isFieldMessage } from '#contract/field-messages.ts';
import { FALLBACK_LANGUAGE, formatAgeIn, isLanguage, LANGUAGES, localeOf, nameOf } from '#contract/language.ts';
import * as limits from '#contract/limits.ts';
import { hasJoinLink, joinLink, joinPath, previewPath, readJoinCode, sharePath, sharePathIn } from '#contract/links.ts';
import { postInputSchema } from '#contract/posts.ts';
import { foldIdentifier, isIdentifier } from '#contract/typed-numbers.ts';
import fieldsEn from '#locales/en/fields.json';
import errorsEn from '#locales/en/outside/errors.json';
import fieldsSw from '#locales/sw/fields.json';
import errorsSw from '#locales/sw/outside/errors.json';
import { problemsOf } from './expect-problems.ts';

const ALL = Object.entries<Endpoint>(ENDPOINTS);

function namesWhere(is: (endpoint: Endpoint, method: string) => boolean): string[] {
  return ALL.filter(([name, endpoint]) => is(endpoint, name.split(' ')[0] ?? '')).map(([name]) => name);
}

function hasField(schema: Endpoint['query'], field: string): boolean {
  return problemsOf(schema ?? exportSchema, { [field]: {} }).some((problem) => problem.startsWith(`${field}:`));
}

test('exactly the endpoints that accept a pagination cursor are declared as paged', () => {
  const taking = namesWhere(({ query }) => query !== undefined && hasField(query, 'cursor'));
  expect(namesWhere(({ isPaged }) => isPaged === true)).toEqual(taking);
});

test('exactly the endpoints that answer 204 declare no response body', () => {
  expect(namesWhere(({ status }) => status === 204)).toEqual(namesWhere(({ answer }) => answer === undefined));
});

test('no GET endpoint declares a request body', () => {
  expect(namesWhere(({ body, fileTypes }, method) => method === 'GET' && (body ?? fileTypes) !== undefined)).toEqual(
    [],
  );
});

test.each([
  ['removed_from_community', [limits.REMOVAL_DAYS]],
  ['too_many_passkeys', [limits.PASSKEYS_MAX]],
  ['too_late', [limits.FOUND_UNDO_SECONDS / 60]],
  ['too_many_photos', [limits.PHOTOS_MAX, limits.PHOTOS_OF_PERSON_MAX]],
  ['photo_too_large', [limits.PHOTO_MAX_PIXELS / 1_000_000]],
] as const)('the text of the error “%s” contains the current limit, in both languages', (code, numbers) => {
  for (const errors of [errorsEn, errorsSw]) expect(numbersIn(errors[code])).toEqual(numbers);
});

test.each([
  ['identifier_invalid', [limits.IDENTIFIER_MIN_CHARS, limits.IDENTIFIER_MAX_CHARS, limits.IDENTIFIER_MIN_DIGITS]],
  ['password_too_short', [limits.PASSWORD_MIN_CHARS]],
  ['password_too_long', [limits.PASSWORD_MAX_CHARS]],
  ['limit_invalid', [1, limits.PAGE_SIZE_MAX]],
] as const)('the text of the field error “%s” contains the current limit, in both languages', (key, numbers) => {
  for (const fields of [fieldsEn, fieldsSw]) expect(numbersIn(fields[key])).toEqual(numbers);
});

function numbersIn(sentence: string): number[] {
  return [...sentence.matchAll(/\d+/g)].map(([digits]) => Number(digits));
}

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
])('the age of a post, %i seconds, is shown as “%s”', (seconds, words) =>
  expect(formatAgeIn('en', new Date(NOW - seconds * SECOND_MS).toISOString(), NOW)).toBe(words),
);

test('the age of a post is shown in the language of the user', () => {
  expect(formatAgeIn('sw', new Date(NOW - 3 * 3_600 * SECOND_MS).toISOString(), NOW)).toBe('saa 3 zilizopita');
});

test('each language has a name in that language, and a locale that decides how dates are written', () => {
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
])('the serial or document number %s is normalised to %s', (typed, folded) =>
  expect(foldIdentifier(typed)).toBe(folded),
);

test.each([
  ['AXC123', true],
  ['AC123', false],
  ['ACX12Z', false],
  ['1'.repeat(40), true],
  ['1'.repeat(41), false],
])('the check whether the text %s is a serial, document or plate number returns %s', (typed, is) =>
  expect(isIdentifier(typed)).toBe(is),
);

test('an access code is read from a pasted join link, with or without text around it', () => {
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
])('the check whether the text %s contains a join link with an access code returns %s', (text, has) =>
  expect(hasJoinLink(text)).toBe(has),
);

test('the short URL of a shared post opens in the language of the person who shares the post', () => {
  expect(sharePath('a/b')).toBe('/p/a%2Fb');
  expect(sharePathIn('sw', 'a')).toBe('/p/a?lang=sw');
  expect(previewPath('bag', 'owner', 'en')).toBe('/previews/bag-owner-en.jpg');
});

test('only the error messages in the list FIELD_MESSAGES are accepted as messages about a field', () => {
  expect(['text_invalid', 'position_invalid', 'Invalid input', ''].map(isFieldMessage)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

const POST = { title: 'Simu', location: 'Moshi', phone_number: '0712345678' };
const PERSON = {
  username: 'asha',
  email: 'asha@example.com',
  whatsapp_number: '0712345678',
  password: 'tumaini la kesho',
};

/** Unicode's direction controls: embeddings, overrides and isolates, and the characters that end them. */
const TURNING = [...'\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069'];

const NAMES = {
  title: (text: string) => postInputSchema.safeParse({ ...POST, title: text }),
  location: (text: string) => postInputSchema.safeParse({ ...POST, location: text }),
  owner_first_name: (text: string) => postInputSchema.safeParse({ ...POST, owner_first_name: text }),
  owner_last_name: (text: string) => postInputSchema.safeParse({ ...POST, owner_last_name: text }),
  username: (text: string) => registrationSchema.safeParse({ ...PERSON, username: text }),
  name: (text: string) => communityInputSchema.safeParse({ name: text }),
};

test.each(Object.entries(NAMES))(
  'the field “%s” refuses invisible characters that can reverse the direction of the text after them',
  (field, parse) => {
    for (const character of TURNING) {
      const { error } = parse(`Neema ${character}ihsuM`);
      expect(error?.issues.map(({ path, message }) => [path[0], message])).toEqual([
        [field, 'text_control_characters'],
      ]);
    }
  },
);

test.each(Object.entries(NAMES))(
  'the field “%s” accepts text in any script, such as Arabic, unchanged',
  (_field, parse) => {
    for (const text of [
      'محفظة ضائعة',
      'ארנק שאבד',
      'Simu (محمد) 2',
      // Direction marks, a joiner and a non-joiner, which words and emoji need.
      'Simu \u200eA\u200f \u061cمحمد',
      'می\u200cخواهم',
      '👨\u200d👩\u200d👧 🇹🇿',
    ])
      expect(parse(text).success, text).toBe(true);
  },
);

test('a post’s description may contain invisible characters that can reverse the direction of the text after them', () => {
  const description = `Begi ${TURNING.join('jeusi')}`;
  expect(postInputSchema.safeParse({ ...POST, description }).data?.description).toBe(description);
});

test('a pasted access code may contain invisible characters that a messenger has added', () => {
  expect(joinInputSchema.safeParse({ access_code: '\u2068ABCD2345EF\u2069\n' }).success).toBe(true);
});
