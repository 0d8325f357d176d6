import type { D1Migration } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterAll, afterEach, expect, vi } from 'vitest';
import { type RowSchema, watchRows } from '#worker/db/statements.ts';
import type { Env } from '#worker/env.ts';

declare global {
  namespace Cloudflare {
    interface Env extends WorkerEnv {
      TEST_MIGRATIONS: D1Migration[];
      THOROUGH: 'yes' | 'no';
      FUZZ_SEED: string;
      FUZZ_REQUESTS: string;
    }
    interface GlobalProps {
      mainModule: typeof import('#worker/index.ts');
    }
  }
}

type WorkerEnv = Env;

/** Selects all tables and views that the migrations made, newest first, without those of SQLite and FTS5. */
const MADE = `select type, name from sqlite_master made where type in ('table', 'view')
  and name not like 'sqlite\\_%' escape '\\' and name not like '\\_cf\\_%' escape '\\'
  and not (type = 'table' and exists (select 1 from sqlite_master fts
    where fts.sql like 'create virtual table%' and made.name like fts.name || '\\_%' escape '\\'))
  order by rowid desc`;

/** Records which migrations were applied, in the same table as wrangler. */
const NOTES = [
  'create table d1_migrations (id integer primary key autoincrement, name text unique, applied_at timestamp default current_timestamp not null)',
  ...env.TEST_MIGRATIONS.map(({ name }) => `insert into d1_migrations (name) values ('${name}')`),
];

// All test files of a Vitest project share one runtime. Each file starts with an empty database and empty buckets.
// Sockets, mailboxes and caches are not emptied: no file uses the ids or IP addresses of another file.
const { results: made } = await env.DB.prepare(MADE).all<{ type: string; name: string }>();
const statements = [
  'pragma defer_foreign_keys = on',
  ...made.map(({ type, name }) => `drop ${type} ${name}`),
  ...env.TEST_MIGRATIONS.flatMap(({ queries }) => queries),
  ...NOTES,
];
await env.DB.batch(statements.map((statement) => env.DB.prepare(statement)));
for (const bucket of [env.PHOTOS, env.BACKUPS]) {
  const { objects } = await bucket.list();
  if (objects.length > 0) await bucket.delete(objects.map(({ key }) => key));
}

afterAll(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const problems: string[] = [];

watchRows((statement, schema) => {
  const { execute, mapResult } = statement;
  const check = <Rows>(rows: Rows): Rows => {
    const found = findProblems(rows as object[], schema);
    if (found.length > 0) problems.push(...found.map((problem) => `${problem} in ${statement.getQuery().sql}`));
    return rows;
  };
  statement.execute = async () => check(await execute.call(statement));
  statement.mapResult = (...answer) => check(mapResult.apply(statement, answer));
});

/** Checks rows against their schema: every column and no other. */
function findProblems(rows: object[], schema: RowSchema): string[] {
  if (rows.length === 0) return [];
  const rowSchema = schema();
  return rows.flatMap((row) => {
    const { data, error } = rowSchema.safeParse(row);
    if (error) return [JSON.stringify(error.issues)];
    return Object.keys(row)
      .filter((name) => !(name in Object(data)))
      .map((name) => `${name} too much`);
  });
}

/** Returns the rows that did not match their schema since the last call. */
export function takeRowProblems(): string[] {
  return problems.splice(0);
}

// Fails after the test, not when the row is read: background work would catch and log the failure.
afterEach(() => expect(takeRowProblems()).toEqual([]));
