import { expect, test } from 'vitest';
import { compareDays, compareIdentifiers } from '#worker/matching/judging/compare-numbers.ts';
import { readDay } from '#worker/matching/reading/read-dates.ts';
import { isImei, readIdentifiers } from '#worker/matching/reading/read-identifiers.ts';
import { WRITTEN_AT } from './make-post.ts';

const compare = (lost: string, found: string): number =>
  compareIdentifiers(readIdentifiers(lost).identifiers, readIdentifiers(found).identifiers).points;
const days = (lost: string, found: string): number =>
  compareDays(readDay(lost, WRITTEN_AT), readDay(found, WRITTEN_AT)).points;

test.each([
  ['T 123 ABC', 'plate T123ABC'],
  ['NIDA 19900512-11101-00001-23', 'namba 19900512111010000123'],
  ['IMEI 490154203237518', '490154203237518'],
  ['serial SN5O81ZB', 'SN5081ZB'],
  ['inaishia 4521', 'card 5412 7534 0000 4521'.replaceAll(' ', '')],
])('%s and %s are one number', (lost, found) => {
  expect(compare(lost, found)).toBeGreaterThan(0.5);
});

test('two numbers of one kind contradict each other', () => {
  expect(compare('MC 111 AAA', 'MC 777 ZZZ')).toBeLessThan(-1);
  expect(compare('ending 4432', 'inaishia 9087')).toBeLessThan(-1);
});

test.each([
  ['AC1234', 'ac-1234'],
  ['KLM/2041', 'klm 2041, KLM.2041'],
  ['AC5O12', 'AC5012'],
])('four digits with letters are a serial: %s', (lost, found) => {
  expect(compare(lost, found)).toBeGreaterThan(1);
  expect(compare(lost, `${found.slice(0, -1)}7`)).toBeLessThan(-1);
});

test.each(['AC123', 'A2C3D', '1234', '2015', '64GB', '12/11/2026', '2026-11-12'])('%s is no serial', (typed) => {
  expect(readIdentifiers(`${typed} mkononi`)).toMatchObject({ identifiers: [], rest: `${typed} mkononi` });
});

test('a number before a small word is no plate', () => {
  expect(readIdentifiers('limeandikwa T 482 kwa rangi nyeupe').identifiers).toEqual([]);
});

test('a telephone number is no identifier', () => {
  expect(readIdentifiers('piga 0712 345 678 au +255 754 111 222').identifiers).toEqual([]);
});

test.each([
  ['ALI2015', 'serial'],
  ['Neema12345', 'serial'],
  ['Kagera2015', 'serial'],
  ['T123ALI', 'plate'],
])('%s is an identifier', (typed, kind) => {
  expect(readIdentifiers(typed).identifiers.map((identifier) => identifier.kind)).toEqual([kind]);
});

test('a name with a year is none', () => {
  expect(readIdentifiers('jina neema1995, Ali2015')).toMatchObject({
    identifiers: [],
    rest: 'jina neema1995, Ali2015',
  });
});

test('a phone for two lines has two IMEIs of one model, and no others', () => {
  const other = compare('IMEI 490154203237518', 'IMEI 490154203237526');
  expect(other).toBeLessThan(0);
  expect(other).toBeGreaterThan(-0.5);
  expect(compare('IMEI 490154203237518', 'IMEI 352099001761481')).toBeLessThan(-1);
});

test('an identifier is shown by its last characters only', () => {
  const [identifier] = readIdentifiers('NIDA 19900512-11101-00001-23').identifiers;
  expect(identifier?.tail).toBe('123');
});

test('an IMEI passes the Luhn check', () => {
  expect(isImei('490154203237518')).toBe(true);
  expect(isImei('490154203237519')).toBe(false);
});

test('the two days may be one day apart, but not found long before lost', () => {
  expect(days('lost on 5/11', 'found 4/11')).toBeGreaterThan(0);
  expect(days('imepotea jana', 'found yesterday')).toBeGreaterThan(0);
  expect(days('lost on 5/11', 'found on 12 October')).toBeLessThan(-1);
  expect(days('lost on 1/11', 'found 9/11')).toBe(0);
});

test('amounts are read in figures and in Swahili words', () => {
  expect(readIdentifiers('Tsh 350,000').amounts).toEqual([350_000]);
  expect(readIdentifiers('12.08.2017').amounts).toEqual([]);
  expect(readIdentifiers('laki mbili').amounts).toEqual([200_000]);
  expect(readIdentifiers('elfu hamsini').amounts).toEqual([50_000]);
});
