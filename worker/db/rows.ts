import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Handle, Query } from './client.ts';

/**
 * What a raw statement's rows look like. A function, because making a schema takes its time: the Worker takes only the
 * type from it, and the tests, which check every row that comes back, make it.
 */
export type RowSchema = () => z.ZodMiniType;
export type RowOf<Schema extends RowSchema> = z.infer<ReturnType<Schema>>;

type Watcher = (statement: Query<unknown>, schema: RowSchema) => void;
let watcher: Watcher | null = null;

/** For tests: every statement is shown to the watcher from here on, before it runs. */
export function watchRows(watch: Watcher): void {
  watcher = watch;
}

/** For raw SQL in a template after it: makes the statement, whose rows are as the schema says. */
export function queryRows<Schema extends RowSchema>(db: Handle, schema: Schema) {
  return (text: TemplateStringsArray, ...values: unknown[]): Query<RowOf<Schema>> => {
    const statement = db.all<RowOf<Schema>>(sql(text, ...values));
    watcher?.(statement, schema);
    return statement;
  };
}

/** SQLite's yes or no. */
export const flag = () => z.literal([0, 1]);
/** What a write that `returning id` touched. */
export const idRow = () => z.object({ id: z.string() });
