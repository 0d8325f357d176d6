import { expect, test } from 'vitest';
import { compareMeasures, compareValues } from '#worker/matching/judging/compare-values.ts';
import { CONTRADICTION } from '#worker/matching/judging/evidence.ts';
import { readMeasures } from '#worker/matching/reading/read-measures.ts';
import { readValues } from '#worker/matching/reading/read-values.ts';
import { foldText } from '#worker/matching/words/tokenise.ts';
import { read } from './make-post.ts';

const measures = (text: string) => readMeasures(foldText(text));
const values = (text: string) => readValues(text, foldText(text));
const comparedMeasures = (lost: string, found: string) => compareMeasures(measures(lost), measures(found)).points;
const comparedValues = (lost: string, found: string) => compareValues(values(lost), values(found)).points;

test.each([
  ['ndoo ya lita ishirini', 'litres', 20],
  ['chupa ya ml 500', 'litres', 0.5],
  ['begi la kilo 50', 'kilograms', 50],
  ['jack, 20t', 'kilograms', 20_000],
  ['TV inchi 32', 'metres', 0.8128],
  ['mkasi wa nchi 10', 'metres', 0.254],
  ['kamba ya futi sita', 'metres', 1.8288],
  ['betri 12V', 'volts', 12],
  ['solar 100w', 'watts', 100],
  ['7ah battery', 'milliampere-hours', 7000],
  ['1 TB', 'gigabytes', 1024],
  ['ndama wa miezi mitatu', 'years', 0.25],
  ['shoes size 42', 'size', 42],
  ['viatu namba 42', 'size', 42],
])('%s is so much', (text, dimension, value) => {
  expect(measures(text)).toContainEqual({ dimension, value: expect.closeTo(value), isRough: false });
});

test.each(['lost 2 years ago', 'wiki 2 zilizopita', 'namba 7 mgongoni', 'jezi namba 10'])(
  '%s measures nothing',
  (text) => {
    expect(measures(text)).toEqual([]);
  },
);

test('about so much may be estimated otherwise', () => {
  expect(measures('about 30 kg')).toEqual([{ dimension: 'kilograms', value: 30, isRough: true }]);
  expect(comparedMeasures('about 30 kg', 'kilo 45')).toBeGreaterThan(comparedMeasures('30 kg', 'kilo 45'));
});

test('one measure is one in any unit, and the further two are apart the more it speaks against them', () => {
  const same = comparedMeasures('2 metres', 'sentimita 200');
  const close = comparedMeasures('lita 20', '22 litres');
  const apart = comparedMeasures('lita 20', '26 litres');
  expect(same).toBeGreaterThan(0);
  expect(close).toBeLessThan(0);
  expect(apart).toBeLessThan(close);
  expect(comparedMeasures('lita 2', '20 litres')).toBe(CONTRADICTION);
  expect(comparedMeasures('nyuzi nne', 'six strings')).toBe(CONTRADICTION);
  expect(comparedMeasures('size 42', 'size 43')).toBeGreaterThan(comparedMeasures('size 42', 'size 44'));
  expect(comparedMeasures('lita 20', '20 kg')).toBe(0);
});

test.each([
  ['plot no. 45 block C', 'plot', '45'],
  ['plot no. 45 block C', 'block', 'c'],
  ['kidato cha pili', 'form', '2'],
  ['std five', 'class', '5'],
  ['hereni namba 0123', 'tag', '123'],
  ['jezi yenye namba 10', 'jersey', '10'],
  ['mwaka 2019', 'year', '2019'],
  ['njiwa TZ 118', 'code', 'tz118'],
  ['mouthpiece 7C', 'code', '7c'],
  ['alama MK', 'initials', 'mk'],
  ['ndani R & T', 'initials', 'rt'],
  ['KM cut in it', 'letters', 'km'],
  ['left ear', 'side', 'left'],
  ['mguu wa kulia', 'side', 'right'],
  ['chumba namba 7', 'room', '7'],
  ['room C', 'room', 'c'],
  ['siti 14', 'seat', '14'],
  ['class B', 'class', 'b'],
  ['form D', 'form', 'd'],
  ['kitabu cha pili', 'volume', '2'],
  ['jalada 31', 'file', '31'],
  ['ruti 9', 'route', '9'],
  ['route E', 'route', 'e'],
  ['kikundi 4', 'group', '4'],
  ['group A', 'group', 'a'],
  ['sura ya tatu', 'chapter', '3'],
  ['laini 2', 'line', '2'],
  ['namba 88', 'number', '88'],
  ['tairi R14', 'rim', '14'],
  ['tyre size 16', 'rim', '16'],
  ['kazaliwa 3/2003', 'born', '2003'],
  ['imeandikwa 512', 'figures', '512'],
  ['godoro 5 x 6', 'dimensions', '5x6'],
  ['tairi 175/70 R13', 'dimensions', '175/70r13'],
  ['namba TB/KIB/118', 'reference', 'tb/kib/118'],
  ['chapa NG40', 'tag', 'ng40'],
  ['darasa IV B', 'class', '4'],
])('%s gives a value', (text, slot, value) => {
  expect(values(text)).toContainEqual({ slot, value });
});

test.each([
  ['seat C', 'seat'],
  ['mwaka 2019', 'figures'],
  ['saa 10', 'code'],
  ['r14 kwenye begi', 'rim'],
  ['number five', 'number'],
])('%s gives no value of %s', (text, slot) => {
  expect(values(text).map((value) => value.slot)).not.toContain(slot);
});

test('where both sides are named, or none is, no side is', () => {
  expect(values('left on the bus').filter(({ slot }) => slot === 'side')).toEqual([]);
  expect(values('left ear and right ear').filter(({ slot }) => slot === 'side')).toEqual([]);
});

test.each([
  ['plot 45', 'kiwanja namba 45'],
  ['Std 4B', 'darasa la nne'],
  ['TZ118', 'TZ 118'],
  ['mpini una herufi K.M', 'KM cut in it'],
  ['number 17 in white', 'tag 17'],
  ['godoro 5 x 6', 'mattress 5x6'],
  ['namba TB/KIB/118', 'TB/KIB/118'],
])('%s and %s agree', (lost, found) => {
  expect(comparedValues(lost, found)).toBeGreaterThan(0);
});

test.each([
  ['plot 45', 'plot 54'],
  ['form two', 'kidato cha nne'],
  ['Samsung A14', 'Samsung A04'],
  ['alama MK', 'alama SJ'],
  ['R & T', 'M & K'],
  ['left ear', 'sikio la kulia'],
  ['born 2014', 'kazaliwa 1978'],
  ['godoro 5x6', 'mattress 2.5x6'],
  ['tairi 3.00-18', 'tyre 2.75-18'],
  ['namba TB/KIB/118', 'card TB/KIB/207'],
  ['tag with number 12', 'number stamped is 21'],
  ['ear tag 042', 'namba 117'],
])('%s and %s contradict each other', (lost, found) => {
  expect(comparedValues(lost, found)).toBeLessThan(-0.4);
});

test('a known word that stands large is no initials', () => {
  expect(read('Laptop | HP silver, with ID | Tanga').values).toEqual([]);
  expect(read('Laptop | silver, KM cut in it | Tanga').values).toEqual([{ slot: 'letters', value: 'km' }]);
});

test('the model of a phone is no number that stands on it', () => {
  expect(read('Nokia 105').values).toEqual([]);
});

test('codes of different letters have nothing to do with each other', () => {
  expect(comparedValues('Samsung A14', 'UDS 2')).toBe(0);
});
