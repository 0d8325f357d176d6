import { expect, test } from 'vitest';
import { comparePersons, isSameName } from '#worker/matching/judging/compare-names.ts';
import { judge, read } from './make-post.ts';

const verdict = (a: string, b: string): string => comparePersons(a.split(' '), b.split(' ')).verdict;

test.each([
  ['mohamed', 'muhammad'],
  ['hassan', 'hasani'],
  ['elizabeth', 'elizabeti'],
  ['mallya', 'malya'],
  ['khadija', 'hadija'],
])('%s and %s are one name', (a, b) => {
  expect(isSameName(a, b)).toBe(true);
});

test.each([
  ['hassan', 'hussein'],
  ['juma', 'musa'],
  ['joel', 'noel'],
  ['maria', 'mariam'],
  ['emmanuel', 'emmanuela'],
])('%s and %s are two names', (a, b) => {
  expect(isSameName(a, b)).toBe(false);
});

test('a middle name may be left out, and the order may be turned', () => {
  expect(verdict('mariam hassan', 'mariam juma hassan')).toBe('same');
  expect(verdict('hassan mariam', 'mariam hassan')).toBe('same');
});

test('a name answers for one name, and an initial for any that it opens', () => {
  expect(verdict('hassan hasani', 'hassan juma')).toBe('different');
  expect(verdict('a juma', 'asha juma')).toBe('same');
  expect(verdict('n juma', 'asha juma')).toBe('different');
  expect(verdict('asha', 'asha juma')).toBe('partly');
});

test('another surname is another person, and so is the father', () => {
  expect(verdict('mariam hassan', 'mariam juma ally')).toBe('different');
  expect(verdict('juma hassan', 'mariam juma hassan')).toBe('different');
});

test.each([
  ['leseni yng | jina yohana kapinga | mbezi', ['yohana', 'kapinga']],
  ['NIDA | Name on card: Mariam Hassan | Temeke', ['mariam', 'hassan']],
  ['Cheti cha kuzaliwa cha Neema Elia Komba | | Songea', ['neema', 'elia', 'komba']],
  ['Kadi | | Posta | Asha Juma', ['asha', 'juma']],
  ['kitambulisho cha asha juma', ['asha', 'juma']],
])('%s names its owner', (side, names) => {
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
])('a name that ends a text is read whole: %s', (side, ...names) => {
  expect(read(side).persons.map((person) => person.names)).toEqual(names);
});

test.each(['Leseni | ina jina', 'Leseni | jina lake ni', 'Leseni | jina:', 'Leseni | majina ya Mr'])(
  'a cue that ends a text names nobody: %s',
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
])('figures that are left on a name are no part of it: %s', (side, names) => {
  expect(read(side).persons.map((person) => person.names)).toEqual([names]);
});

test('a name with figures is the person, and nobody else', () => {
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
])('a model, a plate or a code is no name: %s', (side, names) => {
  expect(read(side).persons.map((person) => person.names)).toEqual(names);
});

test.each(['mark2', 'zulufuna8'])('a make, or what no list knows, keeps its figures in the text: %s', (word) => {
  expect(read(`Gari nyeupe | ${word}`).words).toEqual([word]);
});

test('a couple are two people', () => {
  const names = read('Cheti cha ndoa | Majina ya Peter na Esther | Mabibo').persons.map((person) => person.names);
  expect(names).toEqual([['peter'], ['esther']]);
});
