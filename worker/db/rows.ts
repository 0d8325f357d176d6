import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Handle, Query } from './client.ts';

/**
 * The schema of a raw statement's rows. It is a function because building a schema takes time: the Worker uses only its
 * type, and the tests call it to validate every row that a statement returns.
 */
export type RowSchema = () => z.ZodMiniType;
export type RowOf<Schema extends RowSchema> = z.infer<ReturnType<Schema>>;

type Watcher = (statement: Query<unknown>, schema: RowSchema) => void;
let watcher: Watcher | null = null;

/** For tests: from now on `watch` is called with every statement before it runs. */
export function watchRows(watch: Watcher): void {
  watcher = watch;
}

/** A template tag for raw SQL, which returns a statement with typed rows: queryRows(db, idRow)`select id from posts`. */
export function queryRows<Schema extends RowSchema>(db: Handle, schema: Schema) {
  return (text: TemplateStringsArray, ...values: unknown[]): Query<RowOf<Schema>> => {
    const statement = db.all<RowOf<Schema>>(sql(text, ...values));
    watcher?.(statement, schema);
    return statement;
  };
}

/** SQLite's boolean. */
export const flag = () => z.literal([0, 1]);
/** A row of `returning id`. */
export const idRow = () => z.object({ id: z.string() });

export function idsOf(rows: readonly { id: string }[]): string[] {
  return rows.map((row) => row.id);
}
