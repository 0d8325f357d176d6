import { expect, test } from 'vitest';
import { SEARCH_VERSION, searchTextsOf } from '#worker/posts/search-texts.ts';

const POST = {
  title: 'A',
  description: 'B\nC',
  location: 'D',
  owner_first_name: 'E',
  owner_last_name: 'F',
  posted_by: 'finder',
} as const;

test('a search looks at the title, the description, the location and the names, and not at the number', () => {
  expect(searchTextsOf(POST, 'other', null)).toEqual({
    search_text: 'a\nb c\nd\ne f',
    reader_text: null,
    visitor_text: 'a\nb c\nd\ne f',
    search_version: SEARCH_VERSION,
  });
});

test('each reader searches what they are shown', () => {
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

test('a search looks at where a found thing is now, as its reader is shown it', () => {
  const post = { ...POST, kept_at: 'Kituo, 0612 345 678' };
  expect(searchTextsOf(post, 'document', null)).toEqual({
    search_text: 'a\nb c\nd\ne f\nkituo, 0612 345 678',
    reader_text: 'a\nb c\nd\ne f\nkituo, •••5 678',
    visitor_text: 'a\nb c\nd\ne f\nkituo, •••',
    search_version: SEARCH_VERSION,
  });
  expect(searchTextsOf({ ...post, posted_by: 'owner' }, 'other', null).search_text).toBe('a\nb c\nd\ne f');
});

test('visitors search no community', () => {
  expect(searchTextsOf(POST, 'other', 'c').visitor_text).toBeNull();
});
