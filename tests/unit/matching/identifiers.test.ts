import { expect, test } from 'vitest';
import { compareAmounts, compareIdentifiers } from '#worker/matching/judging/compare-numbers.ts';
import { CONTRADICTION } from '#worker/matching/judging/evidence.ts';
import { readIdentifiers } from '#worker/matching/reading/read-identifiers.ts';

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
])('%s: "%s" and "%s" are worth %d, either way round', (_, lost, found, worth) => {
  expect([points(lost, found), points(found, lost)]).toEqual([worth, worth]);
});

test('the reason shows the last three characters', () => {
  const { reasons } = compareIdentifiers(
    readIdentifiers('T123ABC').identifiers,
    readIdentifiers('T123ABC').identifiers,
  );
  expect(reasons).toEqual([{ kind: 'number', text: '…ABC' }]);
});

test('a sum of money that both name speaks for them, another one against them, the more where money is the thing', () => {
  expect(compareAmounts([5_000, 20_000], [20_000], false)).toEqual({
    points: 0.4,
    reasons: [{ kind: 'detail', text: 'TSh 20,000' }],
  });
  expect(compareAmounts([5_000], [20_000], false).points).toBe(-0.4);
  expect(compareAmounts([5_000], [20_000], true).points).toBe(CONTRADICTION);
  expect([compareAmounts([], [20_000], true).points, compareAmounts([5_000], [], true).points]).toEqual([0, 0]);
});
