import { expect, test } from 'vitest';
import { foldPhrase, foldText, quote, splitSearch, splitTrigrams, toSearchText } from '#worker/db/search-text.ts';
import { lookupOf } from '#worker/posts/search-posts.ts';
import { SEARCH_VERSION, searchTextsOf } from '#worker/posts/search-texts.ts';

test.each([
  ['Café ZOË', 'cafe zoe'],
  ['ｆｕｌｌ ﬁle ①', 'full file 1'],
  ['ng’ombe ng‘ombe ng`ombe', "ng'ombe ng'ombe ng'ombe"],
  ['İSTANBUL', 'istanbul'],
  ['ΟΔΟΣ', 'οδοσ'],
  ['مُحَفَّظة', 'محفظة'],
  ['👛', '👛'],
])('before a search compares texts, “%s” is normalised to “%s”', (text, folded) => expect(foldText(text)).toBe(folded));

test('normalising a text a second time does not change the text', () => {
  for (const text of ['Café', 'ﷺ', 'ΣΑΣ', 'İ', 'Ng’']) expect(foldText(foldText(text))).toBe(foldText(text));
});

test('line breaks separate the fields of a post’s search text; line breaks inside a field become spaces', () => {
  expect(toSearchText(['A\nb', 'C'])).toBe('a b\nc');
});

test('a search is split into words at any kind of space and at control characters, and repeated words are removed', () => {
  expect(splitSearch(' Simu\u00a0tecno\t\nSIMU\u0000x ')).toEqual(['simu', 'tecno', 'x']);
  expect(splitSearch(' \u0000 ')).toEqual([]);
});

test('a word has one trigram for each three letters in a row, and a word of one or two letters has none', () => {
  expect(splitTrigrams('tecno')).toEqual(['tec', 'ecn', 'cno']);
  expect(splitTrigrams('手👛ya')).toEqual(['手👛y', '👛ya']);
  expect(splitTrigrams('ya')).toEqual([]);
});

test('a trigram is quoted in the query to the search index, so that its characters have no special meaning', () => {
  expect(quote('a"b')).toBe('"a""b"');
});

test('a phrase to search for is normalised, with single spaces between its words', () => {
  expect(foldPhrase(' Dar  es\tSALAAM ')).toBe('dar es salaam');
});

const POST = {
  title: 'A',
  description: 'B\nC',
  location: 'D',
  owner_first_name: 'E',
  owner_last_name: 'F',
  posted_by: 'finder',
} as const;

test('a search covers a post’s title, description, location and owner’s name', () => {
  expect(searchTextsOf(POST, 'other', null)).toEqual({
    search_text: 'a\nb c\nd\ne f',
    reader_text: null,
    visitor_text: 'a\nb c\nd\ne f',
    search_version: SEARCH_VERSION,
  });
});

test('for each viewer a search covers exactly the texts that this viewer may see', () => {
  const post = { ...POST, title: 'AB654321', location: 'D 0612 345 678' };
  expect(searchTextsOf(post, 'document', null)).toEqual({
    search_text: 'ab654321\nb c\nd 0612 345 678\ne f',
    reader_text: 'ab•••4321\nb c\nd •••5 678\ne f',
    visitor_text: 'ab•••4321\nb c\nd •••\ne f',
    search_version: SEARCH_VERSION,
  });
  expect(searchTextsOf(post, 'bag', null)).toMatchObject({
    reader_text: null,
    visitor_text: 'ab654321\nb c\nd •••\ne f',
  });
});

test('a search covers the place where a found thing is kept, without the digits that the viewer may not see', () => {
  const post = { ...POST, kept_at: 'Kituo, 0612 345 678' };
  expect(searchTextsOf(post, 'document', null)).toEqual({
    search_text: 'a\nb c\nd\ne f\nkituo, 0612 345 678',
    reader_text: 'a\nb c\nd\ne f\nkituo, •••5 678',
    visitor_text: 'a\nb c\nd\ne f\nkituo, •••',
    search_version: SEARCH_VERSION,
  });
  expect(searchTextsOf({ ...post, posted_by: 'owner' }, 'other', null).search_text).toBe('a\nb c\nd\ne f');
});

test('the search of a visitor does not cover the posts of communities', () => {
  expect(searchTextsOf(POST, 'other', 'c').visitor_text).toBeNull();
});

const READER = { userId: 'reader', tokenVersion: 1, sessionId: '' };

test('a visitor’s search uses the index posts_visitor_search, and the search of a signed-in person the index posts_search', () => {
  expect(lookupOf(null, { search: 'simu', place: '' })).toEqual({
    index: 'posts_visitor_search',
    entries: ['"sim"', '"imu"'],
  });
  expect(lookupOf(READER, { search: 'qzx', place: '' })).toEqual({ index: 'posts_search', entries: ['"qzx"'] });
});

test('a search that has only words of one or two letters does not use the trigram index', () => {
  for (const viewer of [null, READER]) {
    expect(lookupOf(viewer, { search: 'ka z', place: '' })).toBeNull();
    expect(lookupOf(viewer, { search: '', place: 'ka' })).toBeNull();
  }
  expect(lookupOf(READER, { search: 'ka simu', place: '' })?.entries).toEqual(['"sim"', '"imu"']);
});

test('if a search has many trigrams, only its three rarest are searched, the rarest first', () => {
  const entriesOf = (search: string, place = '') => lookupOf(READER, { search, place })?.entries;
  // The rarity of a trigram is estimated from its characters: frequent letters make the trigram less rare, and a digit
  // is rarer than any letter.
  expect(entriesOf('kaa xqz aka')).toEqual(['"xqz"', '"kaa"', '"aka"']);
  expect(entriesOf('aie ain7 enk')).toEqual(['"in7"', '"enk"', '"ain"']);
  expect(entriesOf('simu simu')).toEqual(['"sim"', '"imu"']);
  expect(entriesOf('xxx', 'xx7')).toEqual(['"xx7"', '"xxx"']);
  expect(entriesOf('', 'Posta')).toEqual(['"pos"', '"ost"', '"sta"']);
});
