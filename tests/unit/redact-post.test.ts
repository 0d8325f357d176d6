import { expect, test } from 'vitest';
import { readerOf, redactFor, redactReasons } from '#worker/posts/redact-post.ts';

const TEXT = 'AB654321, 0612 345 678';
const VIEWER = { userId: 'reader', tokenVersion: 1, sessionId: '' };

test('who reads a post', () => {
  expect(readerOf({ author_id: 'a' }, null)).toBe('visitor');
  expect(readerOf({ author_id: 'a' }, VIEWER)).toBe('signed_in');
  expect(readerOf({ author_id: 'reader' }, VIEWER)).toBe('author');
});

test.each([
  ['author', 'document', TEXT],
  ['author', 'bag', TEXT],
  ['signed_in', 'bag', TEXT],
  ['signed_in', 'document', 'AB•••4321, •••5 678'],
  ['visitor', 'bag', 'AB654321, •••'],
  ['visitor', 'document', 'AB•••4321, •••'],
  ['visitor', null, 'AB•••4321, •••'],
  ['signed_in', null, 'AB•••4321, •••5 678'],
] as const)('the %s of a %s reads %s', (reader, kind, shown) => {
  expect(redactFor(reader, kind)(TEXT)).toBe(shown);
});

test('a reason says no more than the post does', () => {
  const reason = { kind: 'number', en: '123456', sw: '123456' } as const;
  expect(redactReasons([reason], redactFor('signed_in', 'document'))).toEqual([
    { kind: 'number', en: '•••3456', sw: '•••3456' },
  ]);
});
