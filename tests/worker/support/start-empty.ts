import { env } from 'cloudflare:workers';
import { afterAll, vi } from 'vitest';

/** All objects of the migrations, newest first, without those of SQLite and FTS5. */
const MADE = `select type, name from sqlite_master made where type in ('table', 'view')
  and name not like 'sqlite\\_%' escape '\\' and name not like '\\_cf\\_%' escape '\\'
  and not (type = 'table' and exists (select 1 from sqlite_master fts
    where fts.sql like 'create virtual table%' and made.name like fts.name || '\\_%' escape '\\'))
  order by rowid desc`;

/** The same record of migrations as wrangler's. */
const NOTES = [
  'create table d1_migrations (id integer primary key autoincrement, name text unique, applied_at timestamp default current_timestamp not null)',
  ...env.TEST_MIGRATIONS.map(({ name }) => `insert into d1_migrations (name) values ('${name}')`),
];

// The files of a project share one runtime: each starts with an empty database and empty buckets. Sockets, mailboxes
// and caches stay; another file's ids and addresses never occur again.
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
