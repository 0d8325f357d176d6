import { expect, test } from 'vitest';
import { comparePersons, isSameName } from '#worker/matching/judging/compare-names.ts';
import { read } from './make-post.ts';

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
])('%s and %s are two names', (a, b) => {
  expect(isSameName(a, b)).toBe(false);
});

test('a middle name may be left out, and the order may be turned', () => {
  expect(verdict('mariam hassan', 'mariam juma hassan')).toBe('same');
  expect(verdict('hassan mariam', 'mariam hassan')).toBe('same');
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
])('%s names its owner', (side, names) => {
  expect(read(side).persons.map((person) => person.names)).toContainEqual(names);
});

test('a couple are two people', () => {
  const names = read('Cheti cha ndoa | Majina ya Peter na Esther | Mabibo').persons.map((person) => person.names);
  expect(names).toEqual([['peter'], ['esther']]);
});
