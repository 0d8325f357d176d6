import { expect, test } from 'vitest';
import { folderOf, pieceFile } from '#worker/exports/manifest.ts';
import { utcDayOf } from '#worker/exports/write-export.ts';

test('the objects of an export sort as they were written, by day, table and number', () => {
  expect(folderOf('2026-11-22') + pieceFile('posts', 7, 'abc')).toBe('exports/2026-11-22/posts/000007-abc.jsonl');
});

test('a day of the exports is one in UTC', () => {
  expect(utcDayOf(Date.parse('2026-11-22T23:59:59.999Z'))).toBe('2026-11-22');
  expect(utcDayOf(Date.parse('2026-11-23T00:00:00.000Z'))).toBe('2026-11-23');
});
