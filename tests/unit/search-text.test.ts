import { expect, test } from 'vitest';
import { foldText, parseSearch, splitSearch, toSearchText } from '#worker/db/search-text.ts';

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

test('long words become quoted phrases, short ones are looked at by themselves', () => {
  expect(parseSearch('tecno "spark" ya 👛')).toEqual({ match: '"tecno" AND """spark"""', short: ['ya', '👛'] });
  expect(parseSearch('ya')).toEqual({ match: null, short: ['ya'] });
  expect(parseSearch('')).toEqual({ match: null, short: [] });
});
