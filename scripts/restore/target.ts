import { createWriteStream, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { UserError } from '#scripts/command/command.ts';
import {
  bucketName,
  type LocalDatabase,
  whileLocked,
  withLocalBucket,
  withLocalDatabase,
} from '#scripts/database/local-database.ts';
import { DEFAULT_STATE_FOLDER, prepareStateFolder, resolveStateFolder } from '#scripts/dev/options.ts';
import { queryRemoteDatabase, runWrangler } from '#scripts/wrangler/run-wrangler.ts';

/** A database to restore: deployed or local. */
export type Target = {
  query<Row>(sql: string): Promise<Row[]>;
  /** Runs the statements of a file in one transaction. */
  runFile(file: string): Promise<void>;
};

/** The options that choose between the deployed database and a local one. */
export const TARGET_OPTIONS = {
  remote: { type: 'boolean', default: false },
  'persist-to': { type: 'string', default: DEFAULT_STATE_FOLDER },
} as const;

type Choice = { remote: boolean; 'persist-to': string };

export function withTarget<Result>(choice: Choice, use: (target: Target) => Promise<Result>): Promise<Result> {
  if (choice.remote) return use(REMOTE_TARGET);
  const stateFolder = resolveStateFolder(choice['persist-to']);
  prepareStateFolder(stateFolder);
  return withLocalDatabase(stateFolder, (db) => use(localTarget(db)));
}

const REMOTE_TARGET: Target = {
  query: queryRemoteDatabase,
  runFile: (file) => runWrangler(['d1', 'execute', 'DB', '--remote', '--yes', '--file', file]),
};

export function localTarget(db: LocalDatabase): Target {
  return {
    async query<Row>(sql: string) {
      return (await whileLocked(() => db.prepare(sql).all<Row>())).results;
    },
    async runFile(file) {
      const { unstable_splitSqlQuery: splitSql } = await import('wrangler');
      const statements = splitSql(readFileSync(file, 'utf8'));
      await whileLocked(() => db.batch(statements.map((statement) => db.prepare(statement))));
    },
  };
}

/** Resolves a path from the folder in which the user started npm, which may not be the project's root. */
export function resolveFile(named: string): string {
  return resolve(process.env.INIT_CWD ?? '', named);
}

/** Downloads an object from the bucket of backups. @throws UserError if there is no such object. */
type FetchObject = (key: string, file: string) => Promise<void>;

export function withExports<Result>(
  choice: { remote: boolean; 'persist-to': string },
  use: (fetchObject: FetchObject) => Promise<Result>,
): Promise<Result> {
  if (choice.remote) return use(fetchRemote);
  return withLocalBucket(resolveStateFolder(choice['persist-to']), 'BACKUPS', (bucket) =>
    use(async (key, file) => {
      const object = await bucket.get(key);
      if (object === null) throw new UserError(`There is no ${key} in the bucket of backups.`);
      writeFileSync(file, new Uint8Array(await object.arrayBuffer()));
    }),
  );
}

function fetchRemote(key: string, file: string): Promise<void> {
  return runWrangler(['r2', 'object', 'get', `${bucketName('BACKUPS')}/${key}`, '--remote', '--file', file]);
}

type SchemaPart = { type: 'table' | 'index' | 'trigger' | 'view'; name: string; sql: string };
export type Schema = { tables: SchemaPart[]; views: SchemaPart[]; searchIndexes: SchemaPart[]; others: SchemaPart[] };

// Omits the internal tables of SQLite, of D1 and of the search indexes, which are created automatically.
const PARTS = `
  SELECT type, name, sql FROM sqlite_schema
  WHERE sql IS NOT NULL AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*'
    AND name NOT IN (SELECT name FROM pragma_table_list WHERE type = 'shadow')
  ORDER BY rowid`;

/** Returns the database's schema, in the order of creation. */
export async function readSchema(target: Target): Promise<Schema> {
  const parts = await target.query<SchemaPart>(PARTS);
  const isSearchIndex = ({ sql }: SchemaPart) => /^CREATE VIRTUAL TABLE/i.test(sql);
  return {
    tables: parts.filter((part) => part.type === 'table' && !isSearchIndex(part)),
    views: parts.filter((part) => part.type === 'view'),
    searchIndexes: parts.filter(isSearchIndex),
    others: parts.filter((part) => part.type === 'index' || part.type === 'trigger'),
  };
}

export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

type Row = Record<string, string | number | null>;

const ROWS_AT_ONCE = 500;

/**
 * Writes a file of SQL statements. They drop the tables of the schema `replaced`, and create and fill the tables of
 * `source`.
 */
export async function writeStatements(source: Target, replaced: Schema, file: string): Promise<void> {
  const schema = await readSchema(source);
  await pipeline(
    async function* () {
      yield* ['PRAGMA defer_foreign_keys = TRUE;', ...dropAll(replaced), ...schema.tables.map(({ sql }) => `${sql};`)];
      for (const { name } of schema.tables) yield* insertRows(source, name);
      yield* [...(await setSequences(source)), ...finish(schema)];
    },
    async function* (statements: AsyncIterable<string>) {
      for await (const statement of statements) yield `${statement}\n`;
    },
    createWriteStream(file, { mode: 0o600 }),
  );
}

/**
 * Drops the tables with the most references to other tables first. In another order SQLite would check every row that
 * refers to a dropped table.
 */
function dropAll({ tables, views, searchIndexes, others }: Schema): string[] {
  const references = (sql: string) => sql.split(/\bREFERENCES\b/i).length;
  const inOrder = tables.toSorted((left, right) => references(right.sql) - references(left.sql));
  return [
    ...[...others, ...views].map(({ type, name }) => `DROP ${type.toUpperCase()} ${quoteName(name)};`),
    ...[...searchIndexes, ...inOrder].map(({ name }) => `DROP TABLE ${quoteName(name)};`),
  ];
}

async function* insertRows(source: Target, table: string) {
  for (let after = 0; ; ) {
    const select = `SELECT rowid AS "rowid ", * FROM ${quoteName(table)} WHERE rowid > ${after} ORDER BY rowid LIMIT ${ROWS_AT_ONCE}`;
    const rows = await source.query<Row>(select);
    yield* writeInserts(
      table,
      rows.map(({ 'rowid ': _, ...row }) => row),
    );
    if (rows.length < ROWS_AT_ONCE) return;
    after = Number(rows.at(-1)?.['rowid ']);
  }
}

/** D1 accepts statements of at most 100 kB, and a character takes at most three bytes in the database. */
const STATEMENT_MAX_CHARS = 30_000;

/** Writes several rows in each statement, because D1 runs the statements of the file one by one. */
function* writeInserts(table: string, rows: Row[]): Generator<string> {
  let statement = '';
  for (const row of rows) {
    const values = `(${Object.values(row).map(quoteValue).join(', ')})`;
    if (statement !== '' && statement.length + values.length < STATEMENT_MAX_CHARS) {
      statement += `, ${values}`;
      continue;
    }
    if (statement !== '') yield `${statement};`;
    statement = `INSERT INTO ${quoteName(table)} (${Object.keys(row).map(quoteName).join(', ')}) VALUES ${values}`;
  }
  if (statement !== '') yield `${statement};`;
}

function quoteValue(value: Row[string]): string {
  return typeof value === 'string' ? quoteText(value) : String(value);
}

/** Sets the autoincrement values, so that the ids of deleted rows are not reused. */
async function setSequences(source: Target): Promise<string[]> {
  const sequences = await source.query<{ name: string; seq: number }>('SELECT name, seq FROM sqlite_sequence');
  const rows = sequences.map(({ name, seq }) => `(${quoteText(name)}, ${seq})`);
  return ['DELETE FROM sqlite_sequence;', `INSERT INTO sqlite_sequence (name, seq) VALUES ${rows.join(', ')};`];
}

/**
 * Returns the statements that finish a restored database. Views come first, because a search index may read from a
 * view. Triggers come last, because the rows already contain the triggers' effects.
 */
function finish({ views, searchIndexes, others }: Schema): string[] {
  const rebuilds = searchIndexes.map(
    ({ name }) => `INSERT INTO ${quoteName(name)} (${quoteName(name)}) VALUES ('rebuild');`,
  );
  return [
    ...[...views, ...searchIndexes].map(({ sql }) => `${sql};`),
    ...rebuilds,
    ...others.map(({ sql }) => `${sql};`),
  ];
}
