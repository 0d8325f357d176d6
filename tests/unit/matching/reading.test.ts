import { describe, expect, test } from 'vitest';
import { DAY_MS } from '#contract/durations.ts';
import { describeReading } from '#worker/dev/reading-page.ts';
import { comparePersons, isSameName } from '#worker/matching/judging/compare-names.ts';
import { compareAmounts, compareIdentifiers } from '#worker/matching/judging/compare-numbers.ts';
import { comparePlaces } from '#worker/matching/judging/compare-places.ts';
import { CONTRADICTION } from '#worker/matching/judging/evidence.ts';
import { readDay } from '#worker/matching/reading/read-dates.ts';
import { readIdentifiers } from '#worker/matching/reading/read-identifiers.ts';
import { judge, read, WRITTEN_AT } from './make-post.ts';

describe('reading the day of a loss', () => {
  function read(text: string, at = WRITTEN_AT) {
    const day = readDay(text, at);
    const name = (number: number) => new Date(number * DAY_MS).toISOString().slice(0, 10);
    return day && (day.first === day.last ? name(day.first) : `${name(day.first)} to ${name(day.last)}`);
  }

  // These texts were written on Tuesday, 10 November 2026.
  test.each([
    ['leo', '2026-11-10'],
    ['jana', '2026-11-09'],
    ['juzi', '2026-11-08'],
    ['yesterday', '2026-11-09'],
    ['tarehe 5', '2026-11-05'],
    ['tarehe 10', '2026-11-10'],
    ['trh 11', '2026-10-11'],
    ['tarehe 31', '2026-10-31'],
    ['tarehe 0', null],
    ['tarehe 32', null],
    ['5/11', '2026-11-05'],
    ['11/11', '2026-11-11'],
    ['12/11', '2025-11-12'],
    ['31/12', '2025-12-31'],
    ['5/11/25', '2025-11-05'],
    ['5-11-2024', '2024-11-05'],
    ['5.1.99', '2099-01-05'],
    ['32/1', null],
    ['0/5', null],
    ['1/13', null],
    ['1/12', '2025-12-01'],
    ['5/0', null],
    ['5 November', '2026-11-05'],
    ['November 5th', '2026-11-05'],
    ['3rd of October', '2026-10-03'],
    ['12 Desemba', '2025-12-12'],
    ['12 maharage', null],
    ['Jumatatu', '2026-11-02 to 2026-11-09'],
    ['Jumanne', '2026-11-03 to 2026-11-10'],
    ['Wednesday', '2026-10-28 to 2026-11-04'],
    ['sun', null],
    ['nimeokota simu', null],
  ])('“%s” is read as the day: %s (null: no day)', (text, day) => expect(read(text)).toBe(day));

  test('a day begins at midnight in Dar es Salaam', () => {
    expect(read('leo', Date.parse('2026-11-10T20:59:59Z'))).toBe('2026-11-10');
    expect(read('leo', Date.parse('2026-11-10T21:00:00Z'))).toBe('2026-11-11');
  });

  test('a day of the month, such as “the 31st”, is read as the latest past day with this number', () => {
    expect(read('tarehe 31', Date.parse('2026-10-01T09:00:00Z'))).toBe('2026-08-31');
    expect(read('tarehe 31', Date.parse('2026-09-30T09:00:00Z'))).toBe('2026-08-31');
  });
});

const SAME = 2.4;
const ENDING = 0.9;
const OTHER = -4;

function points(lost: string, found: string): number {
  return compareIdentifiers(readIdentifiers(lost).identifiers, readIdentifiers(found).identifiers).points;
}

test.each([
  ['the same plate', 'T123ABC', 't 123 abc', SAME],
  ['a plate beside other numbers', 'T123ABC 55667', 'T123ABC 99887', SAME],
  ['a plate without its last letter', 'T123ABC', 'T123AB', ENDING],
  ['another plate', 'T123ABC', 'T124ABC', OTHER],
  ['a plate of another kind of vehicle', 'T123ABC', 'MC123ABC', OTHER],
  ['the end of a plate', 'ending 123', 'T123ABC', 0],
  ['two endings', 'ending 4521', 'inaishia na 4521', ENDING],
  ['an ending of a number', 'last four digits 4521', 'AC1234521', ENDING],
  ['an ending behind stars', '***4521', 'AC1234521', ENDING],
  ['another ending', 'mwisho ni 4522', 'AC1234521', CONTRADICTION],
  ['a beginning of a number', 'begins with 1234', '12345678', ENDING],
  ['another beginning', 'begins with 1234', '92345678', CONTRADICTION],
  ['a beginning and an ending', 'inaanza na 1234', 'ending 5678', 0],
  ['zeros before a number', '00012345', '12345', ENDING],
  ['one slip in a number of nine', '123456789', '123456780', SAME],
  ['one slip in a number of eight', '12345678', '12345670', CONTRADICTION],
  ['a long number at the end of a longer one', '1234567890', '9991234567890', SAME],
  ['two NIDA numbers', '19900512-11101-00001-23', '19850512-11101-00009-99', OTHER],
  ['two IMEIs of one model', '490154203237518', '490154203237526', -0.4],
  ['two IMEIs of two models', '490154203237518', '352099001761481', OTHER],
])(
  'example “%s”: comparing the identifiers “%s” and “%s” in either order gives %d points for a match',
  (_, lost, found, worth) => {
    expect([points(lost, found), points(found, lost)]).toEqual([worth, worth]);
  },
);

test('a match reason shows only the last three characters of an identifier', () => {
  const { reasons } = compareIdentifiers(
    readIdentifiers('T123ABC').identifiers,
    readIdentifiers('T123ABC').identifiers,
  );
  expect(reasons).toEqual([{ kind: 'number', text: '…ABC' }]);
});

test('the same sum of money counts for a match; a different sum counts against it, and more so if the lost thing is money', () => {
  expect(compareAmounts([5_000, 20_000], [20_000], false)).toEqual({
    points: 0.4,
    reasons: [{ kind: 'detail', text: 'TSh 20,000' }],
  });
  expect(compareAmounts([5_000], [20_000], false).points).toBe(-0.4);
  expect(compareAmounts([5_000], [20_000], true).points).toBe(CONTRADICTION);
  expect([compareAmounts([], [20_000], true).points, compareAmounts([5_000], [], true).points]).toEqual([0, 0]);
});

describe('comparing places', () => {
  const points = (lost: string, found: string): number =>
    comparePlaces(read(`x | | ${lost}`).places, read(`x | | ${found}`).places).points;

  test.each([
    ['Gongo la Mboto', 'G/Mboto mwisho'],
    ['mbezi mwisho', 'Mbezi Luis'],
    ['Kkoo', 'Kariakoo, Dar es Salaam'],
    ['UDSM', 'University of Dar es Salaam'],
    ['Manzese Tip Top', 'Manzese'],
    ['Moro', 'Morogoro mjini'],
    ['Karikoo', 'Kariakoo'],
    ['Zenji', 'Unguja'],
    ['Majengo, Moshi', 'Moshi'],
  ])('the places “%s” and “%s” agree', (lost, found) => {
    expect(points(lost, found)).toBeGreaterThanOrEqual(0.45);
  });

  test.each([
    ['Moshi', 'Zanzibar'],
    ['Arusha', 'Mwanza'],
    ['Majengo, Moshi', 'Majengo, Dodoma'],
    ['Kariakoo', 'Chanika'],
    ['Tabata', 'Tabora'],
  ])('the places “%s” and “%s” contradict each other', (lost, found) => {
    expect(points(lost, found)).toBeLessThanOrEqual(-0.8);
  });

  test('two places agree if they are the two ends of a bus route that one of the posts names', () => {
    const lost = read('Begi | Lilibaki kwenye daladala ya Mbagala-Kariakoo | Mbagala').places;
    expect(comparePlaces(lost, read('Bag | | Kariakoo').places).points).toBeGreaterThan(0.3);
  });

  test('a road named after a distant town does not contradict a place near the road', () => {
    expect(points('Police barracks, Kilwa Road', 'Kurasini')).toBe(0);
    expect(points('barabara ya Kilwa', 'Kurasini')).toBe(0);
    expect(points('Kilwa', 'Kurasini')).toBeLessThan(-1);
  });

  test('a place that the app does not know counts for a match if both posts name the place, and has no effect if only one does', () => {
    expect(points('kwa Mzee Mchungaje', 'Kwa mzee Mchungaje')).toBeGreaterThan(0);
    expect(points('Kitongoji cha Mlabani', 'Kariakoo')).toBe(0);
  });
});

const verdict = (a: string, b: string): string => comparePersons(a.split(' '), b.split(' ')).verdict;

test.each([
  ['mohamed', 'muhammad'],
  ['hassan', 'hasani'],
  ['elizabeth', 'elizabeti'],
  ['mallya', 'malya'],
  ['khadija', 'hadija'],
])('%s and %s are spellings of one name', (a, b) => {
  expect(isSameName(a, b)).toBe(true);
});

test.each([
  ['hassan', 'hussein'],
  ['juma', 'musa'],
  ['joel', 'noel'],
  ['maria', 'mariam'],
  ['emmanuel', 'emmanuela'],
])('%s and %s are two different names', (a, b) => {
  expect(isSameName(a, b)).toBe(false);
});

test('two full names belong to one person even if a middle name is missing or the order is reversed', () => {
  expect(verdict('mariam hassan', 'mariam juma hassan')).toBe('same');
  expect(verdict('hassan mariam', 'mariam hassan')).toBe('same');
});

test('a first name alone, such as “Asha”, agrees only in part with a full name, such as “Asha Juma”', () => {
  expect(verdict('hassan hasani', 'hassan juma')).toBe('different');
  expect(verdict('a juma', 'asha juma')).toBe('same');
  expect(verdict('n juma', 'asha juma')).toBe('different');
  expect(verdict('asha', 'asha juma')).toBe('partly');
});

test('people whose surnames or fathers’ names differ are different people', () => {
  expect(verdict('mariam hassan', 'mariam juma ally')).toBe('different');
  expect(verdict('juma hassan', 'mariam juma hassan')).toBe('different');
});

test.each([
  ['leseni yng | jina yohana kapinga | mbezi', ['yohana', 'kapinga']],
  ['NIDA | Name on card: Mariam Hassan | Temeke', ['mariam', 'hassan']],
  ['Cheti cha kuzaliwa cha Neema Elia Komba | | Songea', ['neema', 'elia', 'komba']],
  ['Kadi | | Posta | Asha Juma', ['asha', 'juma']],
  ['kitambulisho cha asha juma', ['asha', 'juma']],
])('the owner’s name is read from: %s', (side, names) => {
  expect(read(side).persons.map((person) => person.names)).toContainEqual(names);
});

test.each([
  ['Leseni | jina lake Juma Hassan', ['juma', 'hassan']],
  ['Leseni | jina Zulufuna', ['zulufuna']],
  ['Kitambulisho cha Asha Juma', ['asha', 'juma']],
  ['Begi | la bluu, kuna karatasi ya Kokubanza R.', ['kokubanza', 'r']],
  ['Cheti | cha Esther', ['esther']],
  ['Cheti cha ndoa | Peter na Esther', ['peter'], ['esther']],
  ['Picha | ya Asha Juma na Neema', ['asha', 'juma'], ['neema']],
  ['Cheti | mali ya Asha Juma na Neema Komba', ['asha', 'juma'], ['neema', 'komba']],
])('a name at the end of a text is read with all its parts: %s', (side, ...names) => {
  expect(read(side).persons.map((person) => person.names)).toEqual(names);
});

test.each(['Leseni | ina jina', 'Leseni | jina lake ni', 'Leseni | jina:', 'Leseni | majina ya Mr'])(
  'no person’s name is read from “%s”, a text that ends where the name should follow',
  (side) => {
    expect(read(side).persons).toEqual([]);
  },
);

test.each([
  ['Kadi | | Posta | Asha Kimaro2', ['asha', 'kimaro']],
  ['Kadi | | Posta | ASHA95 KIMARO', ['asha', 'kimaro']],
  ['Kadi | | Posta | 2Zebedayo Lukinja07', ['zebedayo', 'lukinja']],
  ['Leseni | jina Asha Kimaro2 | Posta', ['asha', 'kimaro']],
  ['Leseni | ya Neema1 Komba, imepotea | Posta', ['neema', 'komba']],
  ['NIDA | name: neema1995 komba | Posta', ['neema', 'komba']],
])('digits attached to a person’s name are not read as part of the name: %s', (side, names) => {
  expect(read(side).persons.map((person) => person.names)).toEqual([names]);
});

test('a name with attached digits equals the same name without digits', () => {
  expect(judge('NIDA | | Temeke | Asha Kimaro2', 'NIDA card | Asha Kimaro | Mbagala').confidence).toBe('sure');
  expect(judge('NIDA | | Temeke | Asha Kimaro2', 'NIDA card | Asha Mushi | Temeke').confidence).not.toBe('sure');
});

test.each([
  ['Simu | jina A12 | Posta', []],
  ['Kadi | | Posta | T123ABC', []],
  ['Kadi | | Posta | MC5', []],
  ['Kadi | | Posta | S2N4', []],
  ['Kadi | | Posta | KAD12345', []],
  ['Simu | Tecno Spark8 ya Juma | Posta', [['juma']]],
])('a model, a plate number or another word with digits is not read as a person’s name: %s', (side, names) => {
  expect(read(side).persons.map((person) => person.names)).toEqual(names);
});

test.each(['mark2', 'zulufuna8'])('the digits at the end of a brand or an unknown word are not removed: %s', (word) => {
  expect(read(`Gari nyeupe | ${word}`).words).toEqual([word]);
});

test('two first names joined by “and” are read as the names of two people', () => {
  const names = read('Cheti cha ndoa | Majina ya Peter na Esther | Mabibo').persons.map((person) => person.names);
  expect(names).toEqual([['peter'], ['esther']]);
});

function tellReading(side: string): Record<string, string[]> {
  return Object.fromEntries(describeReading(read(side)).map(({ heading, lines }) => [heading, lines]));
}

test('the developers’ page “How a post is read” lists the thing, names, places and numbers under separate headings', () => {
  const told = tellReading(
    'Begi jeusi la Nike | Lenye laptop ya HP ya inchi 15 na daftari, lilibaki kwenye daladala Mbagala jana. Namba SN5081234, kiti namba 12, Tsh 50,000, Jangwani Girls, maandishi "Mwanahamisi Kondo", alama MK | Kariakoo, kwa Mchungaje | Asha Juma',
  );
  expect(told).toMatchObject({
    Thing: [
      expect.stringMatching(/^backpack \(begi la mgongoni\) or travel bag \(begi la safari\), black \(nyeusi\), Nike/),
    ],
    'In it or on it': expect.arrayContaining(['laptop (laptop), HP, number 15', 'notebook (daftari)']),
    'Where it was, on what': ['daladala (daladala) or minibus (daladala)'],
    Names: ['asha juma (said)', 'mwanahamisi kondo (seen)'],
    'Schools, firms, offices': ['Jangwani Girls'],
    'Places of the location': ['Kariakoo, Ilala'],
    'Places in the text': ['Mbagala, Temeke', 'Jangwani Girls, Ilala'],
    'Words of the location that no list knows': ['mchungaje'],
    Numbers: ['serial: 5N5081234'],
    Values: ['seat: 12', 'initials: mk', 'letters: mk'],
    Measures: ['0.381 metres'],
    Money: ['TSh 50,000'],
    Day: ['2026-11-09 to 2026-11-09'],
    'Written on it': ['mwanahamisi', 'kondo'],
    'Other meanings': expect.arrayContaining(['inch (inchi)', "owner's mark (alama ya mwenyewe)"]),
    Details: expect.arrayContaining(['thing bag / concept g:bag / concept g:school bag', 'number 15']),
    'Stored under': expect.arrayContaining(['#1234', 'Kariakoo, Ilala|^backpack']),
    'Looked up under': expect.arrayContaining(['#1234', 'Kariakoo, Ilala|^backpack']),
  });
});

test('the developers’ page “How a post is read” shows both meanings of an ambiguous place name', () => {
  expect(tellReading('Mbuzi watatu | | Majengo')).toMatchObject({
    Thing: [expect.stringMatching(/, × 3/)],
    'Places of the location': [expect.stringMatching(/^Majengo.* or Majengo/)],
  });
  expect(tellReading('Tairi la pikipiki | | Goba').Thing).toEqual([
    expect.stringMatching(/of motorcycle \(pikipiki\)/),
  ]);
});

test('the developers’ page “How a post is read” shows a brand under “Makes” even if the lexicon lacks the brand', () => {
  expect(tellReading('Friji ya Zebumi | | Goba').Makes).toEqual(['zebumi']);
});

test('the developers’ page “How a post is read” lists a thing’s details under a separate heading if the lexicon lacks the thing', () => {
  const told = tellReading('Zulufuna nyeusi');
  expect(told).toMatchObject({
    'Said of a thing that no list knows': ['black (nyeusi)'],
    'Words that no list knows': ['zulufuna'],
  });
  expect(Object.keys(told)).not.toContain('Thing');
  expect(Object.keys(told)).not.toContain('Day');
  expect(Object.keys(tellReading('Begi jeusi'))).not.toContain('Said of a thing that no list knows');
});
