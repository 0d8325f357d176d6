import { globSync, readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { generateSQLiteDrizzleJson, generateSQLiteMigration } from 'drizzle-kit/api';
import { expect, test } from 'vitest';
import * as schema from '#worker/db/schema.ts';

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

/** The columns, foreign keys and indexes of each table, without those of the search indexes. */
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

/** What an index orders its rows by, and which rows it has. */
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

test('the migrations make the tables of worker/db/schema.ts', async () => {
  using migrated = migrate();
  const empty = await generateSQLiteDrizzleJson({});
  using generated = makeDatabase(await generateSQLiteMigration(empty, inCode));
  expect(describeTables(migrated)).toEqual(describeTables(generated));
});

test('the last snapshot has the tables of worker/db/schema.ts, so db:generate writes only later changes', async () => {
  const last = globSync('migrations/meta/*_snapshot.json').sort().at(-1) ?? '';
  expect(await generateSQLiteMigration(JSON.parse(readFileSync(last, 'utf8')), inCode)).toEqual([]);
});

test('no index begins with all columns of another index on the same rows', () => {
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
