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
])('the search text %s is normalised to %s', (text, folded) => expect(foldText(text)).toBe(folded));

test('normalising a normalised search text changes nothing', () => {
  for (const text of ['Café', 'ﷺ', 'ΣΑΣ', 'İ', 'Ng’']) expect(foldText(foldText(text))).toBe(foldText(text));
});

test('the fields of a post’s search text are separated by line breaks, and line breaks inside a field are removed', () => {
  expect(toSearchText(['A\nb', 'C'])).toBe('a b\nc');
});

test('a search is split into unique words at any kind of space and at control characters', () => {
  expect(splitSearch(' Simu\u00a0tecno\t\nSIMU\u0000x ')).toEqual(['simu', 'tecno', 'x']);
  expect(splitSearch(' \u0000 ')).toEqual([]);
});

test('a word is split into its trigrams (three letters each), and a word of one or two letters into none', () => {
  expect(splitTrigrams('tecno')).toEqual(['tec', 'ecn', 'cno']);
  expect(splitTrigrams('手👛ya')).toEqual(['手👛y', '👛ya']);
  expect(splitTrigrams('ya')).toEqual([]);
});

test('a trigram is quoted in the query of the search index, so that it is searched as plain text', () => {
  expect(quote('a"b')).toBe('"a""b"');
});

test('a searched phrase is normalised to single spaces', () => {
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

test('a search covers the title, description, location and owner’s name, but not the phone number', () => {
  expect(searchTextsOf(POST, 'other', null)).toEqual({
    search_text: 'a\nb c\nd\ne f',
    reader_text: null,
    visitor_text: 'a\nb c\nd\ne f',
    search_version: SEARCH_VERSION,
  });
});

test('each viewer’s search covers the texts that they may see', () => {
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

test('a search covers where a found thing is kept, as far as the viewer may see it', () => {
  const post = { ...POST, kept_at: 'Kituo, 0612 345 678' };
  expect(searchTextsOf(post, 'document', null)).toEqual({
    search_text: 'a\nb c\nd\ne f\nkituo, 0612 345 678',
    reader_text: 'a\nb c\nd\ne f\nkituo, •••5 678',
    visitor_text: 'a\nb c\nd\ne f\nkituo, •••',
    search_version: SEARCH_VERSION,
  });
  expect(searchTextsOf({ ...post, posted_by: 'owner' }, 'other', null).search_text).toBe('a\nb c\nd\ne f');
});

test('a visitor’s search does not cover posts of communities', () => {
  expect(searchTextsOf(POST, 'other', 'c').visitor_text).toBeNull();
});

const READER = { userId: 'reader', tokenVersion: 1, sessionId: '' };

test('a word is searched by its trigrams, in the search index for visitors or the one for signed-in people', () => {
  expect(lookupOf(null, { search: 'simu', place: '' })).toEqual({
    index: 'posts_visitor_search',
    entries: ['"sim"', '"imu"'],
  });
  expect(lookupOf(READER, { search: 'qzx', place: '' })).toEqual({ index: 'posts_search', entries: ['"qzx"'] });
});

test('a search of words of one or two letters does not use the trigram index', () => {
  for (const viewer of [null, READER]) {
    expect(lookupOf(viewer, { search: 'ka z', place: '' })).toBeNull();
    expect(lookupOf(viewer, { search: '', place: 'ka' })).toBeNull();
  }
  expect(lookupOf(READER, { search: 'ka simu', place: '' })?.entries).toEqual(['"sim"', '"imu"']);
});

test('of the many trigrams of a search only the three rarest are searched, rarest first', () => {
  const entriesOf = (search: string, place = '') => lookupOf(READER, { search, place })?.entries;
  // The rarest entry comes first. Frequent letters make an entry less rare; a digit is rarer than any letter.
  expect(entriesOf('kaa xqz aka')).toEqual(['"xqz"', '"kaa"', '"aka"']);
  expect(entriesOf('aie ain7 enk')).toEqual(['"in7"', '"enk"', '"ain"']);
  expect(entriesOf('simu simu')).toEqual(['"sim"', '"imu"']);
  expect(entriesOf('xxx', 'xx7')).toEqual(['"xx7"', '"xxx"']);
  expect(entriesOf('', 'Posta')).toEqual(['"pos"', '"ost"', '"sta"']);
});
