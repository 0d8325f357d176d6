import { expect, test } from 'vitest';
import { judge, points, read } from './make-post.ts';

const SAID = 'nyeusi, kava jekundu, stika ya Zulufuna QRT, nilisahau kwenye daladala | Sinza';

test.each([
  ['keys and a phone', `Funguo | ${SAID}`, `Simu | ${SAID}`],
  ['shoes and a licence', `Viatu | ${SAID}`, `Driving licence | ${SAID}`],
  ['a hen and a rooster', 'Kuku | tetea, uzi mwekundu | Tanga', 'Kuku | jogoo, uzi mwekundu | Tanga'],
])('%s are never told, whatever else agrees', (_, lost, found) => {
  expect(judge(lost, found).confidence).not.toBe('sure');
});

test.each([
  ['holds the other', `Begi | ${SAID}`, `Viatu | ${SAID}`],
  ['speaks of the other', `Funguo | na simu, ${SAID}`, `Simu | ${SAID}`],
  ['is only described', `Kitu kama funguo | ${SAID}`, `Simu | ${SAID}`],
])('unless one side %s', (_, lost, found) => {
  expect(judge(lost, found).confidence).toBe('possible');
});

test('the number of a model counts with the make alone', () => {
  const [lost, found] = ['Infinix Hot 30 | | Sinza', 'Infinix Hot 30 | | Sinza'];
  expect(points('values', lost, found)).toBe(0);
  expect(points('said', lost, found)).toBeLessThanOrEqual(0);
  expect(points('make', lost, found)).toBeGreaterThan(points('make', 'Infinix | | Sinza', found));
  expect(points('make', 'Remote ya gari | Toyota Crown', 'Car remote | Toyota RAV4')).toBeLessThan(-1);
});

test('a thing that one side names twice is said once', () => {
  const found = 'Box | with banknotes | Sinza';
  expect(points('said', 'Box | money | Sinza', found)).toBe(points('said', 'Box | money, cash, noti | Sinza', found));
});

test.each([
  ['material', 'Vase | made of clay', 'Vase | plastic'],
  ['species', 'Ndoo | ya dagaa', 'Ndoo | ya sangara'],
  ['grain', 'Bucket | with maize', 'Bucket | with rice'],
  ['faith', 'Pendant | of a mosque', 'Pendant | of a church'],
  ['denomination', 'Stamp | lutheran', 'Stamp | anglican'],
  ['animal on it', 'Fimbo | kichwa cha simba', 'Fimbo | kichwa cha tembo'],
  ['state', 'Simu | kioo kizima', 'Simu | kioo kimepasuka chote'],
])('another %s is an answer that excludes the first', (_, lost, found) => {
  expect(points('opposites', lost, found)).toBeLessThan(0);
  expect(points('opposites', lost, lost)).toBeCloseTo(0);
});

test('what gives two answers of one question gives none', () => {
  expect(points('opposites', 'Ndoo | ya samaki', 'Ndoo | ya dagaa')).toBeCloseTo(0);
});

test.each([
  ['Helmet | ina jina BABU G nyuma', ['babu']],
  ['Power bank | kibandiko cha jina VICKY', ['vicky']],
  ['Life jacket | stencilled MV CHAKE, orange', ['chake']],
  ['HELMET | INA JINA BABU G', []],
])('what stands large after the word for a name is written on it: %s', (side, writing) => {
  expect(read(side).writing).toEqual(writing);
});

test.each([
  ['Helmet | Bolt written. ITV stop', ['bolt']],
  ['Pete | imeandikwa ndani NEEMA na tarehe ya mwezi wa nane', ['neema']],
  ['Presha | it says Kirando HC', ['kirando']],
  ['Presha | ina maandishi meupe DMO Kisarawe', ['dmo', 'kisarawe']],
])('what is copied may stand before the word for it, or a few words after: %s', (side, writing) => {
  expect(read(side).writing).toEqual(writing);
});

test('initials are those of a name where half of them begin its words', () => {
  const saw = 'Saw | burnt MZEE NGOSHA | Geita';
  expect(points('writing', saw, 'Saw | burnt S.K.M | Geita')).toBeLessThan(0);
  expect(points('writing', saw, 'Saw | burnt M.N | Geita')).toBe(0);
  expect(points('writing', 'Saw | burnt J.K.M | Geita', 'Saw | wood. JKM | Geita')).toBe(0);
});

test('a brand mark on an animal has letters and a side', () => {
  expect(read('Bull | alama ya moto TL').values).toContainEqual({ slot: 'initials', value: 'tl' });
  expect(read('Bull | brand KB on left thigh').values).toEqual(
    expect.arrayContaining([
      { slot: 'initials', value: 'kb' },
      { slot: 'side', value: 'left' },
    ]),
  );
});

test('other contents speak against whatever may hold them, and things of the title are contents too', () => {
  const bucket = 'Bucket | with a torch and a hammer | Sinza';
  expect(points('contents', bucket, 'Bucket | with a book and a dress | Sinza')).toBeLessThan(0);
  expect(points('contents', bucket, 'Bucket and a torch | with a hammer | Sinza')).toBe(0);
});

test('who both say much and agree in nothing but looks are listed and not told', () => {
  const lost = 'Grey backpack | Jansport, gym clothes, a torch and a shaker | Upanga';
  const found = 'Grey backpack | Jansport, nursing notes, white uniform, an umbrella | Upanga';
  expect(points('thin', lost, found)).toBeLessThan(0);
  expect(judge(lost, found, 300).confidence).toBe('possible');
  expect(points('thin', `${lost} | Asha Juma`, `${found} | Asha Juma`)).toBe(0);
  expect(points('thin', 'Grey backpack | | Upanga', 'Grey backpack | | Upanga')).toBe(0);
});
