import { type Column, getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import * as z from 'zod/mini';
import { MINUTE_MS } from '#contract/durations.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { isPlatformAdmin, type Viewer } from '#worker/identity/viewer.ts';
import {
  type Db,
  type First,
  type Handle,
  type Plan,
  type Preparable,
  type Query,
  type Results,
  readAs,
  type Statement,
} from './client.ts';

/**
 * A function that returns the schema of a raw statement's rows. The Worker uses only the function's type, because
 * building schemas takes time. The tests call the function to validate every row that a statement returns.
 */
export type RowSchema = () => z.ZodMiniType;
export type RowOf<Schema extends RowSchema> = z.infer<ReturnType<Schema>>;

type Watcher = (statement: Query<unknown>, schema: RowSchema) => void;
let watcher: Watcher | null = null;

/** For tests: from now on `watch` is called with every statement before it runs. */
export function watchRows(watch: Watcher): void {
  watcher = watch;
}

/**
 * A template tag for raw SQL, which returns a statement with typed rows: queryRows(db, idRow)`select id from posts`.
 */
export function queryRows<Schema extends RowSchema>(db: Handle, schema: Schema) {
  return (text: TemplateStringsArray, ...values: unknown[]): Query<RowOf<Schema>> => {
    const statement = db.all<RowOf<Schema>>(sql(text, ...values));
    watcher?.(statement, schema);
    return statement;
  };
}

/** Like `queryRows`, but the statement returns only its first row, or undefined. */
export function queryFirst<Schema extends RowSchema>(db: Handle, schema: Schema) {
  return (text: TemplateStringsArray, ...values: unknown[]): First<RowOf<Schema>> =>
    firstOf(queryRows(db, schema)(text, ...values));
}

/** Changes a statement, raw or from drizzle's builder, so that its result is the first row, or undefined. */
export function firstOf<Row>(statement: Statement & { _: { result: Row[] } }): First<Row> {
  // For a raw statement, `_prepare` returns the statement itself. So save `execute` before `Object.assign` replaces it.
  const prepared = (statement as unknown as Preparable<Row[]>)._prepare();
  const { execute } = prepared;
  return Object.assign(statement as unknown as First<Row>, {
    execute: async () => (await execute.call(prepared))[0],
    _prepare: () => ({
      getQuery: () => prepared.getQuery(),
      mapResult: (answer: D1Result, isFromBatch: true) => prepared.mapResult(answer, isFromBatch)[0],
    }),
  });
}

type ColumnsOf<Table extends SQLiteTable> = Table['_']['columns'][keyof Table['_']['columns']];
type ColumnNamed<Table extends SQLiteTable, Name> = Extract<ColumnsOf<Table>, { _: { name: Name } }>;
/** A column's value as a raw statement returns it: a boolean as 0 or 1, JSON as text. */
type CellOf<C extends Column> =
  | (C['_']['dataType'] extends 'boolean' ? 0 | 1 : C['_']['dataType'] extends 'json' ? string : C['_']['data'])
  | (C['_']['notNull'] extends true ? never : null);

/** The schema of rows that consist of one table's columns, by their names in SQL: `rowOf(claims, 'id', 'state')`. */
export function rowOf<Table extends SQLiteTable, const Name extends ColumnsOf<Table>['_']['name']>(
  table: Table,
  ...names: Name[]
): () => z.ZodMiniType<{ [N in Name]: CellOf<ColumnNamed<Table, N>> }> {
  return () => {
    const columns = Object.values(getTableColumns(table)).filter(({ name }) => names.includes(name as Name));
    return z.object(Object.fromEntries(columns.map((column) => [column.name, cellSchema(column)]))) as never;
  };
}

function cellSchema({ dataType, notNull }: Column): z.ZodMiniType {
  const schema = dataType === 'boolean' ? flag() : dataType === 'number' ? z.number() : z.string();
  return notNull ? schema : z.nullable(schema);
}

/** SQLite's boolean. */
export const flag = () => z.literal([0, 1]);
export const idRow = () => z.object({ id: z.string() });

export function idsOf(rows: readonly { id: string }[]): string[] {
  return rows.map((row) => row.id);
}

/** A position in a list that is ordered by time and, within a millisecond, by id. */
export type TimeKey = { time: number; id: string };

/** Parses a cursor that the contract has validated; null at the start of the list. */
export function parseTimeCursor(cursor: string | undefined): TimeKey | null {
  if (cursor === undefined) return null;
  const dot = cursor.indexOf('.');
  return { time: Number(cursor.slice(0, dot)), id: cursor.slice(dot + 1) };
}

/**
 * Splits rows into a page and the cursor of the next page. The caller reads one row more than `limit`: if this row
 * exists, there is a next page.
 * @param keyOf returns a row's position in the list.
 */
export function toTimePage<Row>(rows: Row[], limit: number, keyOf: (row: Row) => TimeKey) {
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  const key = last === undefined ? null : keyOf(last);
  return { rows: shown, nextCursor: key && `${key.time}.${key.id}` };
}

const ROWS_AT_ONCE = 1_000;

/**
 * Statement: deletes rows for which the condition holds, at most ROWS_AT_ONCE, so that other requests are not blocked.
 */
export function deleteSome(db: Db, table: SQLiteTable, condition: SQL) {
  return db.run(sql`
    delete from ${table} where rowid in (select rowid from ${table} where ${condition} limit ${ROWS_AT_ONCE})`);
}

const FIRST_DELAY_MS = MINUTE_MS;
const DOUBLINGS_MAX = 10;

/**
 * Expression: when the scheduled sweep next tries a row. The pause is a minute at first and doubles with each try, up
 * to about 17 hours.
 * @param failures the column that counts the tries so far.
 */
export function nextTry(now: number, failures: string): SQL {
  return sql`${now} + (${FIRST_DELAY_MS} << min(${sql.raw(failures)}, ${DOUBLINGS_MAX}))`;
}

const platformAdminRow = () => z.object({ is_platform_admin: flag() });

/**
 * Like `readAs`, and also checks, in the same round trip, that the viewer is a platform admin.
 * @throws AppError forbidden.
 */
export async function readAsPlatformAdmin<P extends Plan>(db: Handle, viewer: Viewer, plan: P): Promise<Results<P>> {
  const { account, results } = await readAs(db, viewer, {
    account: queryFirst(db, platformAdminRow)`select ${isPlatformAdmin(sql`${viewer.userId}`)} as is_platform_admin`,
    results: plan,
  });
  if (account?.is_platform_admin !== 1) throw new AppError('forbidden');
  return results;
}
