import { expect, test } from 'vitest';
import type { Db } from '#worker/db/client.ts';
import type { PersonalData } from '#worker/db/personal-data.ts';
import { exportOf } from '#worker/leaving/export.ts';

const NO_DATABASE = {} as Db;

/** A noun that holds this of a person. */
function holding(part: Record<string, unknown>): PersonalData {
  return { tables: {}, exportFor: async () => part, eraseFor: () => [] };
}

test('an export has every part, in which times are dates, and all else as it is held', async () => {
  const parts = [
    { me: { id: 'mtu', created_at: 0, email_proven_at: null, is_platform_admin: false, kept_until: 1_000 } },
    { posts: [{ id: 'tangazo', title: 'Begi', found_at: 60_000, photos: [{ width: 640, added_at: 2_000 }] }] },
    { settings: { quiet_from: '21:00', push: true, chat: 7 }, feedback: ['Asante', 3] },
  ];
  expect(await exportOf(NO_DATABASE, parts.map(holding), 'mtu')).toEqual({
    me: {
      id: 'mtu',
      created_at: '1970-01-01T00:00:00.000Z',
      email_proven_at: null,
      is_platform_admin: false,
      kept_until: '1970-01-01T00:00:01.000Z',
    },
    posts: [
      {
        id: 'tangazo',
        title: 'Begi',
        found_at: '1970-01-01T00:01:00.000Z',
        photos: [{ width: 640, added_at: '1970-01-01T00:00:02.000Z' }],
      },
    ],
    settings: { quiet_from: '21:00', push: true, chat: 7 },
    feedback: ['Asante', 3],
    devices: [],
    photos: [],
    communities: [],
    claims: [],
    notices: [],
    reports: [],
    blocks: [],
    push: [],
  });
});

test('of whoever has nothing the export has every part all the same', async () => {
  expect(await exportOf(NO_DATABASE, [holding({ me: null })], 'mtu')).toEqual({
    me: {},
    devices: [],
    posts: [],
    photos: [],
    communities: [],
    claims: [],
    notices: [],
    reports: [],
    blocks: [],
    settings: {},
    push: [],
  });
});
