import { expect, test } from 'vitest';
import { NUMBER, NUMBER_OR_ORDINAL, numberOf } from '#worker/matching/reading/spoken-numbers.ts';

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
])('%d is said in each of these words: %s', (value, words) => {
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
])('%s is %d', (said, value) => expect(numberOf(said)).toBe(value));

test('an ordinal is no number by itself', () => {
  const isNumber = new RegExp(`^${NUMBER}$`);
  for (const said of ['ishirini na tano', '2,5', 'nusu']) expect(said).toMatch(isNumber);
  for (const said of ['pili', 'first', 'iv']) expect(said).not.toMatch(isNumber);
});
