import { expect, test } from 'vitest';
import { lookupOf } from '#worker/posts/search-index.ts';

const READER = { userId: 'reader', tokenVersion: 1, sessionId: '' };

test('a word is looked up by its letters in threes, in the index of whoever searches', () => {
  expect(lookupOf(null, { search: 'simu', place: '' })).toEqual({
    index: 'posts_visitor_search',
    entries: ['"sim"', '"imu"'],
  });
  expect(lookupOf(READER, { search: 'qzx', place: '' })).toEqual({ index: 'posts_search', entries: ['"qzx"'] });
});

test('a search whose words all have one or two letters is not looked up', () => {
  for (const viewer of [null, READER]) {
    expect(lookupOf(viewer, { search: 'ka z', place: '' })).toBeNull();
    expect(lookupOf(viewer, { search: '', place: 'ka' })).toBeNull();
  }
  expect(lookupOf(READER, { search: 'ka simu', place: '' })?.entries).toEqual(['"sim"', '"imu"']);
});

test('of many entries the three that look rarest are compared, rarest first and each once', () => {
  const entriesOf = (search: string, place = '') => lookupOf(READER, { search, place })?.entries;
  // The more frequent its letters are, the less rare an entry looks; a digit is rarer than any letter.
  expect(entriesOf('kaa xqz aka')).toEqual(['"xqz"', '"kaa"', '"aka"']);
  expect(entriesOf('aie ain7 enk')).toEqual(['"in7"', '"enk"', '"ain"']);
  expect(entriesOf('simu simu')).toEqual(['"sim"', '"imu"']);
  expect(entriesOf('xxx', 'xx7')).toEqual(['"xx7"', '"xxx"']);
  expect(entriesOf('', 'Posta')).toEqual(['"pos"', '"ost"', '"sta"']);
});
