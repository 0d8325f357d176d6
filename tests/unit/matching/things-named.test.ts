import { expect, test } from 'vitest';
import { judge, read } from './make-post.ts';

const headOf = (side: string) => read(side).heads[0];

test('a colour between the halves of a Swahili phrase leaves the phrase whole', () => {
  expect(headOf('Koti jeupe la daktari')).toMatchObject({ ids: ['lab-coat'], colours: new Set(['white']) });
  expect(headOf('Begi jeusi dogo la mgongoni')?.ids).toEqual(['backpack']);
  expect(judge('Koti jeupe la daktari | | Bugando', 'White coat | | Bugando').confidence).toBe('sure');
});

test('one half of a phrase may be in the other language', () => {
  expect(headOf('Kadi ya yellow fever')?.ids).toEqual(['yellow-fever-card']);
  expect(headOf('Battery ya gari')?.ids).toEqual(['car-battery']);
});

test('a description that opens with "of" goes on where the title ended', () => {
  expect(headOf('Nimesahau miwani kinyozi | ya jua, kahawia')?.ids).toEqual(['sunglasses']);
});

test('what a thing is said to lack is no thing', () => {
  const { heads, parts } = read('Redmi note 11 blue bila kava');
  expect(heads.map((head) => head.ids)).toEqual([['phone']]);
  expect(parts).toEqual([]);
});

test('a make with a clause of its own is the thing, what follows is on it', () => {
  expect(headOf('Vivo Y17, purple, yellow cover')?.ids).toEqual(['phone']);
});

test('the owner’s name in the text is no thing', () => {
  expect(headOf('Kadi ya NSSF ya Issa Kondo | | Ilala | Issa Kondo')?.ids).toEqual(['nssf-card']);
});

test('a sack of maize is maize', () => {
  expect(headOf('Gunia moja la mahindi')?.ids).toEqual(['maize']);
});

test.each([
  ['a mirror of another make', 'Side mirror ya Noah | | Gerezani', 'Side mirror ya Nissan | | Gerezani'],
  ['a charger of another make', 'Nokia charger | | Rorya', 'iPhone charger | | Rorya'],
  ['a plate with two characters swapped', 'Bajaji MC 224 DLP | | Tabata', 'Bajaji MC 242 DLP | | Tabata'],
  ['a grown-up’s', 'One child’s white shoe | | Bunju', 'Kiatu kimoja cheupe cha mwanamke | | Bunju'],
  ['of the other sex', 'Black bull | | Sengerema', 'Ng’ombe jike mweusi | | Sengerema'],
])('%s is another thing', (_, lost, found) => {
  expect(judge(lost, found).confidence).not.toBe('sure');
});

test('a name that may be the finder’s own leaves one phone possible, but parts documents', () => {
  const lost = 'Simu Tecno Spark 8 nyeusi | | Sinza | Asha Juma';
  expect(judge(lost, 'Black Tecno Spark 8 | | Sinza | Rehema Said').confidence).toBe('possible');
  expect(judge(lost, 'Black Tecno Spark 8 | | Sinza').confidence).toBe('sure');
  expect(judge('NIDA | | Sinza | Asha Juma', 'NIDA | | Sinza | Rehema Said').confidence).not.toBe('sure');
});

test('the word for a sex alone is an animal, and beside a thing a quality of it', () => {
  const bull = read('Kuna dume limeingia zizini | jekundu, aje na barua').heads[0];
  expect(bull?.ids).toEqual(['animal']);
  expect([...(bull?.attributes ?? [])]).toContain('male');
  expect(read('Mbuzi dume | mweusi').heads.map(({ ids }) => ids)).toEqual([['goat']]);
  expect(read("Ng'ombe jike mweusi").heads[0]?.attributes.has('female')).toBe(true);
});
