import { type SQL, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Db } from './client.ts';

const ROWS_AT_ONCE = 1_000;

/** Statement: deletes rows for which the condition holds, few enough not to block other requests. */
export function deleteSome(db: Db, table: SQLiteTable, condition: SQL) {
  return db.run(sql`
    delete from ${table} where rowid in (select rowid from ${table} where ${condition} limit ${ROWS_AT_ONCE})`);
}
