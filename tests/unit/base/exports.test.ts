import { expect, test } from 'vitest';
import { folderOf, pieceFile } from '#worker/exports/manifest.ts';
import { utcDayOf } from '#worker/exports/write-export.ts';
import { withDates } from '#worker/leaving/export-account.ts';

test('the objects of an export sort by day, table and number, which is the order of writing', () => {
  expect(folderOf('2026-11-22') + pieceFile('posts', 7, 'abc')).toBe('exports/2026-11-22/posts/000007-abc.jsonl');
});

test('an export’s day is a day in UTC', () => {
  expect(utcDayOf(Date.parse('2026-11-22T23:59:59.999Z'))).toBe('2026-11-22');
  expect(utcDayOf(Date.parse('2026-11-23T00:00:00.000Z'))).toBe('2026-11-23');
});

test('in an export only numbers with a key in _at or _until become dates, at any depth', () => {
  const data = {
    me: { id: 'mtu', created_at: 0, email_proven_at: null, is_platform_admin: false, kept_until: 1_000 },
    posts: [{ id: 'tangazo', found_at: 60_000, photos: [{ width: 640, added_at: 2_000 }] }],
    settings: { quiet_from: '21:00', push: true, chat: 7 },
    feedback: ['Asante', 3],
  };
  expect(withDates(data)).toEqual({
    ...data,
    me: { ...data.me, created_at: '1970-01-01T00:00:00.000Z', kept_until: '1970-01-01T00:00:01.000Z' },
    posts: [
      {
        id: 'tangazo',
        found_at: '1970-01-01T00:01:00.000Z',
        photos: [{ width: 640, added_at: '1970-01-01T00:00:02.000Z' }],
      },
    ],
  });
});
