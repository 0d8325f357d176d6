import { expect, test } from 'vitest';
import { DAY_MS } from '#contract/durations.ts';
import { readDay } from '#worker/matching/reading/read-dates.ts';
import { WRITTEN_AT } from './make-post.ts';

function read(text: string, at = WRITTEN_AT) {
  const day = readDay(text, at);
  const name = (number: number) => new Date(number * DAY_MS).toISOString().slice(0, 10);
  return day && (day.first === day.last ? name(day.first) : `${name(day.first)} to ${name(day.last)}`);
}

// Written on Tuesday, 10 November 2026.
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
])('%s is the day %s', (text, day) => expect(read(text)).toBe(day));

test('a day begins at midnight in Dar es Salaam', () => {
  expect(read('leo', Date.parse('2026-11-10T20:59:59Z'))).toBe('2026-11-10');
  expect(read('leo', Date.parse('2026-11-10T21:00:00Z'))).toBe('2026-11-11');
});

test('a day of the month is looked for two months back', () => {
  expect(read('tarehe 31', Date.parse('2026-10-01T09:00:00Z'))).toBe('2026-08-31');
  expect(read('tarehe 31', Date.parse('2026-09-30T09:00:00Z'))).toBe('2026-08-31');
});
