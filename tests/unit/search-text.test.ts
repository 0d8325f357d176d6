import { expect, test } from 'vitest';
import { foldPhrase, foldText, quote, splitSearch, splitTrigrams, toSearchText } from '#worker/db/search-text.ts';

test.each([
  ['Café ZOË', 'cafe zoe'],
  ['ｆｕｌｌ ﬁle ①', 'full file 1'],
  ['ng’ombe ng‘ombe ng`ombe', "ng'ombe ng'ombe ng'ombe"],
  ['İSTANBUL', 'istanbul'],
  ['ΟΔΟΣ', 'οδοσ'],
  ['مُحَفَّظة', 'محفظة'],
  ['👛', '👛'],
])('%s is compared as %s', (text, folded) => expect(foldText(text)).toBe(folded));

test('folding what is folded changes nothing', () => {
  for (const text of ['Café', 'ﷺ', 'ΣΑΣ', 'İ', 'Ng’']) expect(foldText(foldText(text))).toBe(foldText(text));
});

test('fields are kept apart by lines, and a field’s own lines are not', () => {
  expect(toSearchText(['A\nb', 'C'])).toBe('a b\nc');
});

test('words are split at spaces of any kind and at control characters, each once', () => {
  expect(splitSearch(' Simu\u00a0tecno\t\nSIMU\u0000x ')).toEqual(['simu', 'tecno', 'x']);
  expect(splitSearch(' \u0000 ')).toEqual([]);
});

test('a text is split into its trigrams, a short word into none', () => {
  expect(splitTrigrams('tecno')).toEqual(['tec', 'ecn', 'cno']);
  expect(splitTrigrams('手👛ya')).toEqual(['手👛y', '👛ya']);
  expect(splitTrigrams('ya')).toEqual([]);
});

test('an entry of the index is asked for as plain text', () => {
  expect(quote('a"b')).toBe('"a""b"');
});

test('a phrase is folded with single spaces', () => {
  expect(foldPhrase(' Dar  es\tSALAAM ')).toBe('dar es salaam');
});
