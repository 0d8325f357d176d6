import { expect, test } from 'vitest';
import type { Config } from '#worker/env.ts';
import { digestIdentifier, digestIdentifiers } from '#worker/posts/identifiers.ts';
import { hideContacts, hideLongNumbers } from '#worker/redaction/hide-contacts.ts';
import { readerOf, redactFor, redactReasons } from '#worker/redaction/redact-for.ts';

test.each([
  ['0712345678', '•••'],
  ['Piga 0712 345 678 usiku', 'Piga ••• usiku'],
  ['0712-345-678', '•••'],
  ['0712.345.678', '•••'],
  ['0712–345–678', '•••'],
  ['(0712) 345 678', '•••'],
  ['(0712345678)', '(•••)'],
  ['+255 712 345 678.', '•••.'],
  ['+(255) 712 345678', '•••'],
  ['00255712345678', '•••'],
  ['+255712345678', '•••'],
  ['712345678', '•••'],
  ['simu0712345678', 'simu•••'],
  ['Simu:0712345678/0754123456', 'Simu:•••/•••'],
  ['0712345678 0754123456', '••• •••'],
  ['0712345678,0754123456', '•••,•••'],
  ['0712 345 678 0754 123 456', '•••'],
  ['0 7 1 2 3 4 5 6 7 8', '•••'],
  ['0 . 7 . 1 . 2 . 3 . 4 . 5 . 6 . 7 . 8', '•••'],
  ['0712\n345\n678', '•••'],
  ['bei 50000 0712345678', 'bei 50000 •••'],
  ['tarehe 12-05-2024 0712345678', 'tarehe 12-05-2024 •••'],
  ['123456789', '•••'],
  ['123456789012345', '•••'],
  ['bei 50000 sifurisabamojambilitatunnetanositasabanane', 'bei 50000 •••'],
  ['kumi, 0712/345/678', 'kumi, •••'],
  ['bei 50000 712345678', 'bei 50000 •••'],
  ['0712 345 678 0754123456', '••• •••'],
  ['0754123456 0712 345 678', '••• •••'],
  ['0712/345/678 na 0754123456', '••• na •••'],
  ['TSh 0712345678', 'TSh •••'],
  ['TSh 022 211 3344', 'TSh •••'],
  ['o 0712 345 678 i', 'o ••• i'],
  ['0712 345 67o', '•••'],
  ['0712 345 6oo', '•••'],
])('a visitor does not see the phone number in: %s', (text, shown) => {
  expect(hideContacts(text)).toBe(shown);
});

test.each([
  ['full-width digits', '０７１２３４５６７８'],
  ['Arabic digits', '٠٧١٢٣٤٥٦٧٨'],
  ['Persian digits', '۰۷۱۲ ۳۴۵ ۶۷۸'],
  ['Devanagari digits', '०७१२३४५६७८'],
  ['mathematical digits', '𝟎𝟕𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖'],
  ['circled digits', '⓪⑦①②③④⑤⑥⑦⑧'],
  ['superscript digits', '⁰⁷¹²³⁴⁵⁶⁷⁸'],
  ['keycaps', '0️⃣7️⃣1️⃣2️⃣3️⃣4️⃣5️⃣6️⃣7️⃣8️⃣'],
  ['Arabic digits with commas', '٠٧١٢,٣٤٥,٦٧٨'],
  ['Devanagari digits with commas', '०७१२,३४५,६७८'],
  ['the letter o for a zero', 'O712 345 6o8'],
  ['a Cyrillic o', '071234560о8'],
  ['a Greek and an Armenian o', '07123456οօ'],
  ['a full-width o', '０７１２３４５Ｏ７８'],
  ['commas and letters for digits', '0,7,o,i,l,2,3,4,5,6'],
  ['the letters l and I for a one', '07l2345678, 07I2 345 678'],
  ['zero-width characters', '0\u200b7\u200b1\u200b2\u200b3\u200b4\u200b5\u200b6\u200b7\u200b8'],
  ['soft hyphens', '0712\u00ad345\u00ad678'],
  ['combining marks on the digits', '0\u03367\u03361\u03362\u03363\u03364\u03365\u03366\u03367\u03368'],
  ['non-breaking spaces', '0712\u00a0345\u202f678'],
  ['Swahili words', 'sifuri saba moja mbili tatu nne tano sita saba nane'],
  ['Swahili tens', 'sifuri saba kumi na mbili thelathini na nne hamsini na sita sabini na nane'],
  ['English words', 'Zero Seven One Two, three four five six seven eight'.replace(',', '')],
  ['Swahili words with commas', 'sifuri, saba, moja, mbili, tatu, nne, tano, sita, nane, tisa'],
  ['English words with commas', 'zero, seven, one, two, three, four, five, six, eight, nine'],
  ['the word “oh” for a zero', 'oh, seven, one, two, three, four, five, six, eight, nine'],
  ['words with dashes', 'zero-seven-one-two-three-four-five-six-seven-eight'],
  ['words without spaces', 'sifurisabamojambilitatunnetanositasabanane'],
  ['words among digits', '07 moja 2 three 45678'],
  ['words between digits, without spaces', '07one2three45six78'],
  ['the word “double”', 'zero seven double one three four five six seven'],
  ['commas', '0712,345,678'],
  ['slashes', '0712/345/678'],
  ['underscores', '0712_345_678'],
  ['asterisks', '07*12*34*56*78'],
  ['emoji', '0712🙂345🙂678'],
  ['slashes and the country code', '255/712/345/678'],
])('a visitor does not see a phone number disguised with %s', (_how, text) => {
  expect(hideContacts(text).replace(/[\s,]/g, '')).toMatch(/^(•••)+$/);
});

test.each([
  ['niandikie juma@example.com leo', 'niandikie ••• leo'],
  ['Juma.Hassan+x@mail.udsm.ac.tz', '•••'],
  ['juma0712345678@gmail.com', '•••'],
  ['juma＠gmail.com', '•••'],
  ['josé@example.com', '•••'],
  ['ju\u200bma@gm\u200bail.com', '•••'],
  ['juma @ gmail . com', '•••'],
  ['juma (at) gmail (dot) com', '•••'],
  ['juma[at]example[dot]co[dot]tz', '•••'],
  ['juma at gmail dot com', '•••'],
  ['juma at example dot co dot tz', '•••'],
  ['juma at gmail.com', '•••'],
  ['juma@gmail', '•••'],
])('a visitor does not see the e-mail address in: %s', (text, shown) => {
  expect(hideContacts(text)).toBe(shown);
});

test.each([
  'Imepotea tarehe 12/05/2024 saa 14:30',
  'Lost on 12-05-2024 14.30',
  'Tarehe 12.05.2024 - 15.05.2024',
  'Kati ya 2024-05-12 na 2024-05-14',
  'Mara tatu: 2024-05-12 na 2024-05-14 na 2024-05-16',
  'Walikuwa pamoja 12345678',
  'Mwaka wa masomo 2024/2025',
  'Kidato cha nne 2019-2023, S0123/0045/2019',
  'Zawadi ni TSh 1,500,000 au 1500000/=',
  'TZS 150 000 000',
  'TSh 712345678',
  'Bei ni 712345678/=',
  'Kiwanja 10712/345/678',
  'Kiwanja 0712/345/6789',
  'Kiwanja namba 2345 kitalu 67, Plot 123456 Block 45',
  'Kiwanja Na. 1234/56/789',
  'T 123 ABC na MC 456 DEF',
  'Nyumba 12, mtaa wa 34, ghorofa 5',
  'IST ya mwaka 2010 rangi 3',
  'Noti 5 za elfu kumi na sarafu tatu nne',
  'moja mbili tatu nne tano sita saba nane',
  '12345678',
  '1234567890123456',
  'Sabasaba, mtaa wa saba',
  'Tecno Spark 10 Pro 128GB 8GB RAM 5000mAh',
  'Nimekisahau @ Mlimani City. Asante',
  'Meet me at the market. Com 5',
  'Alikuwa at posta dot inn',
  '@juma_tz',
  '',
])('hideContacts removes nothing from: %s', (text) => {
  expect(hideContacts(text)).toBe(text);
});

test.each([
  ['NIDA 19900101141050000224', 'NIDA •••0224'],
  ['NIDA 19900101-14105-00002-24', 'NIDA •••02-24'],
  ['NIDA 19900101 14105 00002 24', 'NIDA •••02 24'],
  ['Pasipoti AB123456', 'Pasipoti AB•••3456'],
  ['TIN 123-456-789', 'TIN •••6-789'],
  ['T-1234-5678-901-2', 'T-•••901-2'],
  ['leseni 4001234567, simu 0712345678', 'leseni •••4567, simu •••5678'],
  ['１２３４５６', '•••３４５６'],
  ['1234567890123456', '•••3456'],
  ['moja mbili tatu nne tano sita', '•••'],
  ['12\u200b34\u200b56', '•••34\u200b56'],
])('hideLongNumbers leaves at most the last four digits of each long number in: %s', (text, shown) => {
  expect(hideLongNumbers(text)).toBe(shown);
});

test.each(['12345', 'Kilipotea 12-05-1990', 'Form four 2019-2020', 'TSh 1500000', 'S0123/0045/2019', 'TSh 50,000'])(
  'hideLongNumbers removes nothing from: %s',
  (text) => {
    expect(hideLongNumbers(text)).toBe(text);
  },
);

test('a number that looks both like a phone number and like a document number is removed completely', () => {
  const both = (text: string) => hideLongNumbers(hideContacts(text));
  expect(both('leseni 4001234567')).toBe('leseni •••');
  expect(both('NIDA 19900101-14105-00002-24')).toBe('NIDA •••');
  expect(both('NIDA 19900101141050000224')).toBe('NIDA •••0224');
  expect(both('AB123456')).toBe('AB•••3456');
});

const TEXT = 'AB654321, 0612 345 678';
const VIEWER = { userId: 'reader', tokenVersion: 1, sessionId: '' };

test('a viewer is classified as the author, a signed-in person or a visitor', () => {
  expect(readerOf({ author_id: 'a' }, null)).toBe('visitor');
  expect(readerOf({ author_id: 'a' }, VIEWER)).toBe('signed_in');
  expect(readerOf({ author_id: 'reader' }, VIEWER)).toBe('author');
});

test.each([
  ['author', 'document', TEXT],
  ['author', 'bag', TEXT],
  ['signed_in', 'bag', TEXT],
  ['signed_in', 'document', 'AB•••4321, •••5 678'],
  ['visitor', 'bag', 'AB654321, •••'],
  ['visitor', 'document', 'AB•••4321, •••'],
  ['visitor', null, 'AB•••4321, •••'],
  ['signed_in', null, 'AB•••4321, •••5 678'],
] as const)(
  'the viewer “%s” sees the text “AB654321, 0612 345 678” in a post of kind %s (null: unknown) as: %s',
  (reader, kind, shown) => {
    expect(redactFor(reader, kind)(TEXT)).toBe(shown);
  },
);

test('the reasons for a match do not show numbers that the viewer may not see in the post’s text', () => {
  const reason = { kind: 'number', en: '123456', sw: '123456' } as const;
  expect(redactReasons([reason], redactFor('signed_in', 'document'))).toEqual([
    { kind: 'number', en: '•••3456', sw: '•••3456' },
  ]);
});

const CONFIG = { keys: { identifier: 'a-secret-that-only-the-tests-know-0123456789' } } as Config;
const digestsOf = (identifiers: string[] | null | undefined) => digestIdentifiers(CONFIG, { identifiers });

test('the digest of an identifier never changes, because it is compared with stored digests', () => {
  expect(digestIdentifier(CONFIG, 'abc-123')).toMatch(/^1\.eVbeMbN43qCzdHAwd_u6kaRbMnx3-IVC50q/);
  expect(digestIdentifier(CONFIG, 'ABC 123')).toBe(digestIdentifier(CONFIG, 'abc-123'));
  expect(digestIdentifier(CONFIG, 'abc-124')).not.toBe(digestIdentifier(CONFIG, 'abc-123'));
});

test('the identifiers of a post are stored sorted and without duplicates, and an empty list is stored as null', () => {
  const [a, b] = [digestIdentifier(CONFIG, 'abc-123'), digestIdentifier(CONFIG, 'abc-124')].sort();
  expect(digestsOf(['abc-124', 'abc-123', 'ABC123'])).toBe(JSON.stringify([a, b]));
  expect(digestsOf(['abc-123', 'abc-124'])).toBe(JSON.stringify([a, b]));
  expect([digestsOf([]), digestsOf(null), digestsOf(undefined)]).toEqual([null, null, undefined]);
});
