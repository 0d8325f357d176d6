import { expect, test } from 'vitest';
import { readAmounts } from '#worker/matching/reading/read-amounts.ts';
import { readMeasures } from '#worker/matching/reading/read-measures.ts';

function measuresOf(text: string) {
  return readMeasures(text).map(({ dimension, value }) => `${Number(value.toFixed(4))} ${dimension}`);
}

test.each([
  ['20 litres', '20 litres'],
  ['20 liters', '20 litres'],
  ['20 ltr', '20 litres'],
  ['lita ishirini', '20 litres'],
  ['20l', '20 litres'],
  ['500 ml', '0.5 litres'],
  ['5 kg', '5 kilograms'],
  ['kilogramu 5', '5 kilograms'],
  ['250 grams', '0.25 kilograms'],
  ['250g', '0.25 kilograms'],
  ['2 tons', '2000 kilograms'],
  ['tani 2', '2000 kilograms'],
  ['2t', '2000 kilograms'],
  ['3 metres', '3 metres'],
  ['mita tatu', '3 metres'],
  ['3m', '3 metres'],
  ['30 cm', '0.3 metres'],
  ['30 mm', '0.03 metres'],
  ['6 feet', '1.8288 metres'],
  ['futi 6', '1.8288 metres'],
  ['32 inch', '0.8128 metres'],
  ['nchi 32', '0.8128 metres'],
  ['5 yards', '4.572 metres'],
  ['100 watts', '100 watts'],
  ['100w', '100 watts'],
  ['2 kw', '2000 watts'],
  ['2 kva', '2000 watts'],
  ['5 hp', '3730 watts'],
  ['12 volts', '12 volts'],
  ['12v', '12 volts'],
  ['20000 mah', '20000 milliampere-hours'],
  ['75 ah', '75000 milliampere-hours'],
  ['64 gb', '64 gigabytes'],
  ['1 tb', '1024 gigabytes'],
  ['3 years', '3 years'],
  ['miaka mitatu', '3 years'],
  ['umri wa miaka 3', '3 years'],
  ['6 months', '0.5 years'],
  ['miezi sita', '0.5 years'],
  ['26 weeks', '0.5 years'],
  ['96 pages', '96 pages'],
  ['kurasa 96', '96 pages'],
  ['2 plates', '2 plates'],
  ['6 strings', '6 strings'],
  ['nyuzi sita', '6 strings'],
  ['size 42', '42 size'],
  ['saizi ya 42', '42 size'],
])('%s is %s', (text, measure) => expect(measuresOf(text)).toContain(measure));

test.each(['xs', 's', 'm', 'l', 'xl', 'xxl', 'xxxl'])('size %s is above the one before', (letter) => {
  const at = ['xs', 's', 'm', 'l', 'xl', 'xxl', 'xxxl'].indexOf(letter);
  expect(readMeasures(`saizi ${letter}`)).toContainEqual({ dimension: 'size', value: 1000 + at, isRough: false });
});

test.each([
  ['size 60', ['60 size']],
  ['size 61', []],
  ['size 1', ['1 size']],
  ['namba 20', ['20 size']],
  ['namba 19', []],
  ['number 7', []],
  ['150 years', ['150 years']],
  ['151 years', []],
  ['0 litres', []],
  ['123456 mah', ['123456 milliampere-hours']],
  ['1234567 mah', []],
])('bounds of what is a measure: %s is %j', (text, measures) => expect(measuresOf(text)).toEqual(measures));

test.each(['2 weeks ago', 'miezi 2 iliyopita', '1 string missing', 'nyuzi 2 zimekatika'])(
  '%s says when, or what is not there',
  (text) => expect(measuresOf(text)).toEqual([]),
);

test.each([
  ['about 20 litres', true],
  ['kama lita 20', true],
  ['karibu 20 litres', true],
  ['20 litres', false],
])('%s is estimated: %s', (text, isRough) =>
  expect(readMeasures(text)).toEqual([{ dimension: 'litres', value: 20, isRough }]),
);

test.each([
  ['tsh 50,000', [50_000]],
  ['50.000/=', [50_000]],
  ['Shilingi 45000', [45_000]],
  ['500/=', [500]],
  ['499/=', []],
  ['laki 2', [200_000]],
  ['laki mbili', [200_000]],
  ['2 million', [2_000_000]],
  ['milioni', []],
  ['elfu 50', [50_000]],
  ['50 thousand', [50_000]],
  ['elfu kumi na tano', [15_000]],
  ['elfu sana', []],
  ['elfu 20, laki 3', [20_000, 300_000]],
  ['Tsh 1.5 million', [1_500_000]],
  ['tsh 2 milioni', [2_000_000]],
  ['2.5 million', [2_500_000]],
  ['milioni 1.2', [1_200_000]],
  ['laki mbili na elfu hamsini', [250_000]],
  ['Elfu 20 na laki 3', [320_000]],
  ['milioni moja na laki tano', [1_500_000]],
  ['elfu mia moja', [100_000]],
  ['elfu mia mbili na hamsini', [250_000]],
  ['laki moja na nusu', [150_000]],
])('%s is %j shillings', (text, amounts) => expect(readAmounts(text).amounts).toEqual(amounts));

test('a sum of money makes room for the word', () => {
  expect(readAmounts('pochi yenye 50,000/= na kadi').rest.replace(/ +/g, ' ')).toBe('pochi yenye pesa na kadi');
  expect(readAmounts('ina elfu hamsini na kadi, laki 2 na simu').rest.replace(/ +/g, ' ')).toBe(
    'ina pesa na kadi, pesa na simu',
  );
  expect(readAmounts('ina 499/= tu').rest).toBe('ina 499/= tu');
});
