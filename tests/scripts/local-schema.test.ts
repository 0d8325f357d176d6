import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { deleteState, withLocalDatabase } from '#scripts/database/local-database.ts';
import { prepareDatabase } from '#scripts/database/seed.ts';
import { parseDevArguments } from '#scripts/dev/options.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let folder: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'patikana-schema-'));
  await prepareDatabase(folder, { isEmpty: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const change = (statement: string) => withLocalDatabase(folder, (db) => db.prepare(statement).run());
const prepare = () => prepareDatabase(folder, { isEmpty: true });

test.each([
  ['a column of another version', 'ALTER TABLE posts ADD colour TEXT'],
  ['an index missing', 'DROP INDEX posts_by_author'],
  ['a trigger missing', 'DROP TRIGGER notices_place_in_day'],
  ['a migration of another version', "INSERT INTO d1_migrations (name) VALUES ('0043_no_index_twice.sql')"],
])('a local database with %s is refused with the command that resets the database', async (_what, statement) => {
  await change(statement);
  await expect(prepare()).rejects.toThrow('npm run dev -- --reset');
  await expect(prepare()).rejects.not.toThrow('SQLITE');
});

test('an unchanged local database is prepared again with its rows', async () => {
  await change("INSERT INTO heartbeats (name, beat_at) VALUES ('test', 1)");
  await prepare();
  const rows = await withLocalDatabase(folder, (db) =>
    db.prepare("SELECT * FROM heartbeats WHERE name = 'test'").all(),
  );
  expect(rows.results).toHaveLength(1);
});

test('a reset deletes the local data, and no other file in the state folder', async () => {
  expect(parseDevArguments(['--reset'])).toMatchObject({ isReset: true, isEmpty: false });
  await change('DROP INDEX posts_by_author');
  writeFileSync(join(folder, 'notes.txt'), 'mine');
  deleteState(folder);
  expect(await prepareDatabase(folder, { isEmpty: false })).toEqual({ hasDemo: true, isNew: true });
  expect(() => rmSync(join(folder, 'notes.txt'))).not.toThrow();
});
