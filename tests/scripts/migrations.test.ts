import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { findLosses, findMigrationProblems, readMigrations } from '#scripts/lint/check-migrations.ts';
import { type Column, fillTables, insertStatement, readTables, rowOf } from './support/filled-tables.ts';

const MIGRATIONS = readMigrations();
const ROWS = 5;

/** What migrations have changed of rows that were there, each with its reason. */
const CHANGED: Record<string, string[]> = {
  // Renamed when no version was deployed.
  '0006_delivered_notices.sql': ['notices.handed_over_at', 'notices.hand_over_due_at', 'notices.hand_over_failures'],
  // Said to be found without a time: an old Worker writes the time, and reads none of the others.
  '0024_lifetimes_and_recipients.sql': ['posts.found_at'],
};

/** The database of the version before a migration, with rows in every table. */
function fillBefore(index: number): DatabaseSync {
  const db = new DatabaseSync(':memory:');
  for (const { sql } of MIGRATIONS.slice(0, index)) db.exec(sql);
  const tables = readTables(db);
  fillTables(db, tables, ROWS);
  expect(db.prepare('PRAGMA foreign_key_check').all(), 'the rows refer to each other').toEqual([]);
  for (const table of tables.keys()) expect(countRows(db, table), `${table} has rows`).toBeGreaterThan(0);
  return db;
}

function countRows(db: DatabaseSync, table: string): number {
  return Number(db.prepare(`SELECT count(*) AS count FROM "${table}"`).get()?.count);
}

/** The rows of each table by the columns that a version knows of. */
function readRows(db: DatabaseSync, tables: Map<string, Column[]>, unread: string[]) {
  const read = ([table, columns]: [string, Column[]]) => {
    const names = columns.map(({ name }) => name).filter((name) => !unread.includes(`${table}.${name}`));
    return [table, db.prepare(`SELECT ${names.map((name) => `"${name}"`)} FROM "${table}" ORDER BY rowid`).all()];
  };
  return Object.fromEntries([...tables].map(read));
}

/** What a version does to its tables by the columns that it knows of. @returns what the database refuses. */
function workAs(db: DatabaseSync, tables: Map<string, Column[]>, unread: string[]): string[] {
  const works = [...tables].flatMap(([table, columns]) => {
    const known = columns.filter(({ name }) => !unread.includes(`${table}.${name}`));
    const id = `"${columns[0]?.name}" = :${columns[0]?.name}`;
    const row = rowOf(known, ROWS + 1);
    const own = { [columns[0]?.name ?? '']: row[columns[0]?.name ?? ''] ?? null };
    return [
      { sql: insertStatement(table, known), row },
      ...known.map(({ name }) => ({ sql: `UPDATE "${table}" SET "${name}" = "${name}" WHERE ${id}`, row: own })),
      { sql: `DELETE FROM "${table}" WHERE ${id}`, row: own },
    ];
  });
  db.exec('BEGIN; PRAGMA defer_foreign_keys = ON');
  const refused = works.filter(({ sql, row }) => !isTaken(() => db.prepare(sql).run(row))).map(({ sql }) => sql);
  db.exec('ROLLBACK');
  return refused;
}

function isTaken(work: () => unknown): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}

test.each(MIGRATIONS.map(({ name, sql }, index) => ({ name, sql, index })).slice(1))(
  '$name adds to a filled database of the version before, which goes on working',
  ({ name, sql, index }) => {
    using db = fillBefore(index);
    const tables = readTables(db);
    const changed = CHANGED[name] ?? [];
    const before = readRows(db, tables, changed);
    expect(workAs(db, tables, changed), 'what the version before does').toEqual([]);
    db.exec(`BEGIN; ${sql}; COMMIT`);
    const after = readRows(db, tables, changed);
    for (const table of tables.keys()) expect(after[table], `${table} keeps what it had`).toEqual(before[table]);
    expect(db.prepare('PRAGMA foreign_key_check').all()).toEqual([]);
    expect(db.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
    expect(workAs(db, tables, changed), 'what it goes on doing').toEqual([]);
  },
);

test('every migration only adds, but for those whose reason is said', () => {
  expect(findMigrationProblems(MIGRATIONS)).toEqual([]);
  const added = { name: '9999_gone.sql', sql: 'ALTER TABLE `posts` DROP COLUMN `title`;' };
  expect(findMigrationProblems([...MIGRATIONS, added])).toEqual([
    'migrations/9999_gone.sql drops a column; migrations only add.',
  ]);
  expect(findMigrationProblems([])).toHaveLength(1);
});

test.each([
  ['DROP TABLE `posts`;', ['drops a table']],
  ['alter table posts drop column title;', ['drops a column']],
  ['ALTER TABLE `posts` RENAME COLUMN `a` TO `b`;', ['renames a column']],
  ['ALTER TABLE `posts` RENAME `a` TO `b`;', ['renames a column']],
  ['ALTER TABLE `__new_posts` RENAME TO `posts`;', ['renames a table']],
  ['DELETE FROM posts;', ['deletes rows']],
  ['CREATE TABLE a (b text REFERENCES c(d) ON DELETE CASCADE);', ['deletes rows with others']],
  ['-- DROP TABLE `posts`;\nDROP INDEX `posts_open`;', []],
  ['CREATE TRIGGER a AFTER DELETE ON b BEGIN\n  DELETE FROM c WHERE d = old.d;\nEND;', []],
])('%s', (sql, losses) => {
  expect(findLosses(sql)).toEqual(losses);
});

/** What an index orders its rows by, and which rows it has. */
type Index = { name: string; table: string; columns: string; rows: string };

function readIndexes(db: DatabaseSync): Index[] {
  const made = db.prepare(
    "SELECT name, tbl_name, sql FROM sqlite_master WHERE type = 'index' AND sql NOT LIKE '%UNIQUE%'",
  );
  return made.all().map(({ name, tbl_name, sql }) => {
    const [, columns = '', rows = ''] = /\((.*?)\)(?: WHERE (.*))?$/i.exec(`${sql}`) ?? [];
    return { name: `${name}`, table: `${tbl_name}`, columns, rows };
  });
}

test('no index is written beside one that does the same', () => {
  using db = new DatabaseSync(':memory:');
  for (const { sql } of MIGRATIONS) db.exec(sql);
  const indexes = readIndexes(db);
  const doubled = indexes.filter((one) =>
    indexes.some(
      (other) =>
        other !== one &&
        other.table === one.table &&
        other.rows === one.rows &&
        `${other.columns},`.startsWith(`${one.columns},`),
    ),
  );
  expect(indexes.length).toBeGreaterThan(50);
  expect(doubled.map(({ name }) => name)).toEqual([]);
});
