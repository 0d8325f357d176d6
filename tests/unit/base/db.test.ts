import { globSync, readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { generateSQLiteDrizzleJson, generateSQLiteMigration } from 'drizzle-kit/api';
import { afterEach, describe, expect, test, vi } from 'vitest';
import * as schema from '#tests/support/find-inconsistencies.ts';
import { callAgain, isUnavailable, violatedUniqueColumn } from '#worker/db/client.ts';
import { parseTimeCursor, toTimePage } from '#worker/db/statements.ts';
import { folderOf, pieceFile } from '#worker/exports/manifest.ts';
import { utcDayOf } from '#worker/exports/write-export.ts';
import { withDates } from '#worker/leaving/export-account.ts';

describe('database helpers', () => {
  type Row = { at: number; id: string };
  const ROWS: Row[] = [
    { at: 30, id: 'c.d' },
    { at: 20, id: 'b' },
    { at: 10, id: 'a' },
  ];
  const keyOf = ({ at, id }: Row) => ({ time: at, id });

  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  test('a page of a list has a cursor to its last row if more rows follow, and no cursor at the end of the list', () => {
    expect(toTimePage(ROWS, 2, keyOf)).toEqual({ rows: ROWS.slice(0, 2), nextCursor: '20.b' });
    expect(toTimePage(ROWS, 3, keyOf)).toEqual({ rows: ROWS, nextCursor: null });
    expect(toTimePage([], 3, keyOf)).toEqual({ rows: [], nextCursor: null });
  });

  test('a pagination cursor is parsed to the time and the id of its row, also if the id contains a dot', () => {
    const { nextCursor } = toTimePage(ROWS, 1, keyOf);
    expect(parseTimeCursor(nextCursor ?? undefined)).toEqual({ time: 30, id: 'c.d' });
    expect(parseTimeCursor(undefined)).toBeNull();
  });

  test('a database call that loses its connection is retried after 0.1, 0.2, 0.4 and 0.8 seconds', async () => {
    vi.useFakeTimers();
    vi.spyOn(Math, 'random').mockReturnValue(1);
    const pauses = vi.spyOn(globalThis, 'setTimeout');
    const call = vi.fn().mockRejectedValue(new Error('D1_ERROR: Network connection lost.'));
    const lost = expect(callAgain(call)).rejects.toThrow('lost');
    await vi.runAllTimersAsync();
    await lost;
    expect(pauses.mock.calls.map(([, pauseMs]) => pauseMs)).toEqual([100, 200, 400, 800]);
    expect(call).toHaveBeenCalledTimes(5);
  });

  test('the pause before a retry of a database call is random, between zero and its maximum', async () => {
    vi.useFakeTimers();
    vi.spyOn(Math, 'random').mockReturnValue(0.25);
    const pauses = vi.spyOn(globalThis, 'setTimeout');
    const call = vi.fn().mockRejectedValueOnce(new Error('Network connection lost.')).mockResolvedValue('answer');
    const answer = callAgain(call);
    await vi.runAllTimersAsync();
    expect(await answer).toBe('answer');
    expect(pauses.mock.calls.map(([, pauseMs]) => pauseMs)).toEqual([25]);
  });

  test.each([
    [new Error('D1_ERROR: Network connection lost.'), true],
    [new Error('drizzle', { cause: new Error('Durable Object is overloaded.') }), true],
    [new Error('drizzle', { cause: new Error('no such column') }), false],
    ['Network connection lost.', false],
  ])('the check whether the database error %s is a failure of the platform returns %s', (error, is) =>
    expect(isUnavailable(error)).toBe(is),
  );

  test('the column of a violated unique constraint is read from the error, or from the cause of the error', () => {
    const violated = new Error('D1_ERROR: UNIQUE constraint failed: users.email_key: SQLITE_CONSTRAINT');
    expect(violatedUniqueColumn(violated)).toBe('users.email_key');
    expect(violatedUniqueColumn(new Error('Failed query', { cause: violated }))).toBe('users.email_key');
    expect(violatedUniqueColumn(new Error('D1_ERROR: no such column'))).toBeNull();
  });
});

const inCode = await generateSQLiteDrizzleJson(schema);

function makeDatabase(statements: string[]): DatabaseSync {
  const db = new DatabaseSync(':memory:');
  for (const statement of statements) db.exec(statement);
  return db;
}

function migrate(): DatabaseSync {
  return makeDatabase(
    globSync('migrations/*.sql')
      .sort()
      .map((file) => readFileSync(file, 'utf8')),
  );
}

/** The columns, foreign keys and indexes of each table, except the tables of the search indexes. */
function describeTables(db: DatabaseSync) {
  const names = db
    .prepare("SELECT name FROM pragma_table_list WHERE type = 'table' AND schema = 'main' AND name NOT GLOB 'sqlite_*'")
    .all()
    .map(({ name }) => `${name}`);
  const indexes = readIndexes(db);
  const readTable = (name: string) => ({
    columns: db.prepare(`SELECT name, lower(type), "notnull", dflt_value, pk FROM pragma_table_info('${name}')`).all(),
    references: db
      .prepare(`SELECT "from", "table", "to", on_delete FROM pragma_foreign_key_list('${name}') ORDER BY "from"`)
      .all(),
    indexes: indexes.filter(({ table }) => table === name),
  });
  return Object.fromEntries(names.sort().map((name) => [name, readTable(name)]));
}

/** The columns that an index orders by, and its condition. */
function readIndexes(db: DatabaseSync) {
  const made = db.prepare("SELECT name, tbl_name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL");
  return made
    .all()
    .map(({ name, tbl_name, sql }) => {
      const text = `${sql}`.replaceAll(/[`"]/g, '').replaceAll(/,\s*/g, ', ');
      const [, unique, columns = '', rows = ''] =
        /^CREATE (UNIQUE )?INDEX.*?\((.*?)\)(?: WHERE (.*))?$/.exec(text) ?? [];
      return { name: `${name}`, table: `${tbl_name}`, isUnique: unique !== undefined, columns, rows };
    })
    .sort((left, right) => left.name.localeCompare(right.name));
}

test('the SQL migrations create exactly the tables declared in worker/db/tables', async () => {
  using migrated = migrate();
  const empty = await generateSQLiteDrizzleJson({});
  using generated = makeDatabase(await generateSQLiteMigration(empty, inCode));
  expect(describeTables(migrated)).toEqual(describeTables(generated));
});

test('the newest migration’s snapshot describes the tables of worker/db/tables, so the next migration contains only later changes', async () => {
  const last = globSync('migrations/meta/*_snapshot.json').sort().at(-1) ?? '';
  expect(await generateSQLiteMigration(JSON.parse(readFileSync(last, 'utf8')), inCode)).toEqual([]);
});

test('no index merely repeats the first columns of another index', () => {
  using db = migrate();
  const indexes = readIndexes(db).filter(({ isUnique }) => !isUnique);
  const doubled = indexes.filter((one) =>
    indexes.some(
      (other) =>
        other !== one &&
        other.table === one.table &&
        other.rows === one.rows &&
        `${other.columns},`.startsWith(`${one.columns},`),
    ),
  );
  expect(doubled.map(({ name }) => name)).toEqual([]);
});

test('the file names of a database export sort by day, then by table, then by the number of the file', () => {
  expect(folderOf('2026-11-22') + pieceFile('posts', 7, 'abc')).toBe('exports/2026-11-22/posts/000007-abc.jsonl');
});

test('a database export is stored in the folder of the UTC day on which the export starts', () => {
  expect(utcDayOf(Date.parse('2026-11-22T23:59:59.999Z'))).toBe('2026-11-22');
  expect(utcDayOf(Date.parse('2026-11-23T00:00:00.000Z'))).toBe('2026-11-23');
});

test('in a person’s data export, only values under keys that end in _at or _until become dates', () => {
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
