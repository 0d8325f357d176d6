import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { quoteName, quoteText, readSchema, type Schema } from './read-schema.ts';
import type { Target } from './target.ts';

type Row = Record<string, string | number | null>;

const ROWS_AT_ONCE = 500;

/** Writes the statements that replace everything in a database of the schema by the content of the source. */
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

/** Drops tables before those that they refer to, so that SQLite need not look for orphaned rows. */
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
    for (const { 'rowid ': rowid, ...row } of rows) {
      after = Number(rowid);
      const columns = Object.keys(row).map(quoteName).join(', ');
      yield `INSERT INTO ${quoteName(table)} (${columns}) VALUES (${Object.values(row).map(quoteValue).join(', ')});`;
    }
    if (rows.length < ROWS_AT_ONCE) return;
  }
}

function quoteValue(value: Row[string]): string {
  return typeof value === 'string' ? quoteText(value) : String(value);
}

/** The autoincrement values, so that the numbers of deleted rows are not reused. */
async function setSequences(source: Target): Promise<string[]> {
  const sequences = await source.query<{ name: string; seq: number }>('SELECT name, seq FROM sqlite_sequence');
  const rows = sequences.map(({ name, seq }) => `(${quoteText(name)}, ${seq})`);
  return ['DELETE FROM sqlite_sequence;', `INSERT INTO sqlite_sequence (name, seq) VALUES ${rows.join(', ')};`];
}

/** Views first, as search indexes may be over them. Triggers last, as the rows already contain their effects. */
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
