import { expect, test } from 'vitest';
import { compareDays, compareIdentifiers } from '#worker/matching/judging/compare-numbers.ts';
import { compareMeasures, compareValues } from '#worker/matching/judging/compare-values.ts';
import { CONTRADICTION } from '#worker/matching/judging/evidence.ts';
import { readDay } from '#worker/matching/reading/read-dates.ts';
import { isImei, readIdentifiers } from '#worker/matching/reading/read-identifiers.ts';
import { readMeasures } from '#worker/matching/reading/read-measures.ts';
import { readValues } from '#worker/matching/reading/read-values.ts';
import { NUMBER, NUMBER_OR_ORDINAL, numberOf } from '#worker/matching/reading/spoken-numbers.ts';
import { foldText } from '#worker/matching/words/tokens.ts';
import { read, WRITTEN_AT } from './make-post.ts';

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
])('the serial, document or plate numbers in “%s” and “%s” agree', (lost, found) => {
  expect(compare(lost, found)).toBeGreaterThan(0.5);
});

test('two serial, document or plate numbers of the same kind contradict each other if they differ', () => {
  expect(compare('MC 111 AAA', 'MC 777 ZZZ')).toBeLessThan(-1);
  expect(compare('ending 4432', 'inaishia 9087')).toBeLessThan(-1);
});

test.each([
  ['AC1234', 'ac-1234'],
  ['KLM/2041', 'klm 2041, KLM.2041'],
  ['AC5O12', 'AC5012'],
])('letters followed by at least four digits are read as a serial number: %s', (lost, found) => {
  expect(compare(lost, found)).toBeGreaterThan(1);
  expect(compare(lost, `${found.slice(0, -1)}7`)).toBeLessThan(-1);
});

test.each(['AC123', 'A2C3D', '1234', '2015', '64GB', '12/11/2026', '2026-11-12'])(
  '“%s” is not read as a serial number',
  (typed) => {
    expect(readIdentifiers(`${typed} mkononi`)).toMatchObject({ identifiers: [], rest: `${typed} mkononi` });
  },
);

test('in a Swahili text such as “T 482 kwa” the letter and the number are not read as a plate number', () => {
  expect(readIdentifiers('limeandikwa T 482 kwa rangi nyeupe').identifiers).toEqual([]);
});

test('a phone number is not read as an identifier', () => {
  expect(readIdentifiers('piga 0712 345 678 au +255 754 111 222').identifiers).toEqual([]);
});

test.each([
  ['ALI2015', 'serial'],
  ['Neema12345', 'serial'],
  ['Kagera2015', 'serial'],
  ['T123ALI', 'plate'],
])('“%s” is read as a serial or plate number, although it contains a name', (typed, kind) => {
  expect(readIdentifiers(typed).identifiers.map((identifier) => identifier.kind)).toEqual([kind]);
});

test('a name followed by a year, such as “neema1995”, is not read as a serial number', () => {
  expect(readIdentifiers('jina neema1995, Ali2015')).toMatchObject({
    identifiers: [],
    rest: 'jina neema1995, Ali2015',
  });
});

test('two different IMEIs of one phone model hardly count against a match, because a phone with two SIM cards has two IMEIs', () => {
  const other = compare('IMEI 490154203237518', 'IMEI 490154203237526');
  expect(other).toBeLessThan(0);
  expect(other).toBeGreaterThan(-0.5);
  expect(compare('IMEI 490154203237518', 'IMEI 352099001761481')).toBeLessThan(-1);
});

test('the reason for a match shows only the last characters of an identifier that both posts contain', () => {
  const [identifier] = readIdentifiers('NIDA 19900512-11101-00001-23').identifiers;
  expect(identifier?.tail).toBe('123');
});

test('a number counts as an IMEI only if it passes the Luhn check', () => {
  expect(isImei('490154203237518')).toBe(true);
  expect(isImei('490154203237519')).toBe(false);
});

test('a thing may be found one day before the day on which its owner noticed the loss, but not weeks before', () => {
  expect(days('lost on 5/11', 'found 4/11')).toBeGreaterThan(0);
  expect(days('imepotea jana', 'found yesterday')).toBeGreaterThan(0);
  expect(days('lost on 5/11', 'found on 12 October')).toBeLessThan(-1);
  expect(days('lost on 1/11', 'found 9/11')).toBe(0);
});

test('a sum of money is read from figures and from Swahili words', () => {
  expect(readIdentifiers('Tsh 350,000').amounts).toEqual([350_000]);
  expect(readIdentifiers('12.08.2017').amounts).toEqual([]);
  expect(readIdentifiers('laki mbili').amounts).toEqual([200_000]);
  expect(readIdentifiers('elfu hamsini').amounts).toEqual([50_000]);
});

test.each([
  [0.5, 'half nusu'],
  [1, 'moja mmoja one kwanza first i 1'],
  [2, 'mbili wawili mawili viwili miwili two pili second ii'],
  [3, 'tatu watatu matatu vitatu mitatu three third iii'],
  [4, 'nne wanne manne vinne minne four fourth iv'],
  [5, 'tano watano matano vitano mitano five fifth v'],
  [6, 'sita six vi'],
  [7, 'saba seven vii'],
  [8, 'nane wanane manane eight'],
  [9, 'tisa nine'],
  [10, 'kumi ten'],
  [11, 'eleven'],
  [12, 'twelve'],
  [15, 'fifteen'],
  [20, 'ishirini twenty'],
  [30, 'thelathini thirty'],
  [40, 'arobaini arubaini forty'],
  [50, 'hamsini fifty'],
  [60, 'sitini sixty'],
  [70, 'sabini seventy'],
  [80, 'themanini eighty'],
  [90, 'tisini ninety'],
  [100, 'mia hundred'],
])('the number %d is read from each of these words: %s', (value, words) => {
  const isNumber = new RegExp(`^${NUMBER_OR_ORDINAL}$`);
  for (const word of words.split(' ')) {
    expect([word, numberOf(word)]).toEqual([word, value]);
    expect(word).toMatch(isNumber);
  }
});

test.each([
  ['ishirini na tano', 25],
  ['ishirini tano', 25],
  ['mia nusu', 100.5],
  ['mia tano', 500],
  ['mia na tano', 105],
  ['2,5', 2.5],
  ['2.5', 2.5],
  ['sana', 0],
])('the words “%s” are read as the number %d', (said, value) => expect(numberOf(said)).toBe(value));

test('a text that is only an ordinal, such as “first”, is not read as a number', () => {
  const isNumber = new RegExp(`^${NUMBER}$`);
  for (const said of ['ishirini na tano', '2,5', 'nusu']) expect(said).toMatch(isNumber);
  for (const said of ['pili', 'first', 'iv']) expect(said).not.toMatch(isNumber);
});

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
])('the quantity in “%s” is read as a measure', (text, dimension, value) => {
  expect(measures(text)).toContainEqual({ dimension, value: expect.closeTo(value), isRough: false });
});

test.each(['lost 2 years ago', 'wiki 2 zilizopita', 'namba 7 mgongoni', 'jezi namba 10'])(
  '“%s” is not read as a measure such as a weight or an age',
  (text) => {
    expect(measures(text)).toEqual([]);
  },
);

test('“about 30 kg” contradicts a different weight less strongly than “30 kg” does', () => {
  expect(measures('about 30 kg')).toEqual([{ dimension: 'kilograms', value: 30, isRough: true }]);
  expect(comparedMeasures('about 30 kg', 'kilo 45')).toBeGreaterThan(comparedMeasures('30 kg', 'kilo 45'));
});

test('measures in different units are compared, and a larger difference counts more against a match', () => {
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
])('from the text “%s” matching reads a value of the type “%s”: “%s”', (text, slot, value) => {
  expect(values(text)).toContainEqual({ slot, value });
});

test.each([
  ['seat C', 'seat'],
  ['mwaka 2019', 'figures'],
  ['saa 10', 'code'],
  ['r14 kwenye begi', 'rim'],
  ['number five', 'number'],
])('from the text “%s” matching reads no value of the type “%s”', (text, slot) => {
  expect(values(text).map((value) => value.slot)).not.toContain(slot);
});

test('“left” is not read as the left side of a thing if it is a verb, as in “left on the bus”', () => {
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
])(
  '“%s” and “%s” count for a match, because they give the same plot, school class, size, number or letters',
  (lost, found) => {
    expect(comparedValues(lost, found)).toBeGreaterThan(0);
  },
);

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
])(
  '“%s” and “%s” contradict each other in a detail such as a number, a size, initials, or left and right',
  (lost, found) => {
    expect(comparedValues(lost, found)).toBeLessThan(-0.4);
  },
);

test('a word in capitals that the lexicon knows is not read as initials', () => {
  expect(read('Laptop | HP silver, with ID | Tanga').values).toEqual([]);
  expect(read('Laptop | silver, KM cut in it | Tanga').values).toEqual([{ slot: 'letters', value: 'km' }]);
});

test('the number in a phone’s model is not read as a number written on the phone', () => {
  expect(read('Nokia 105').values).toEqual([]);
});

test('matching does not compare two codes with different letters, such as “A14” and “UDS 2”', () => {
  expect(comparedValues('Samsung A14', 'UDS 2')).toBe(0);
});
