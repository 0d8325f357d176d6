import { env } from 'cloudflare:workers';

/** As wrangler notes which it has applied. */
const NOTES = [
  'create table d1_migrations (id integer primary key autoincrement, name text unique, applied_at timestamp default current_timestamp not null)',
  ...env.TEST_MIGRATIONS.map(({ name }) => `insert into d1_migrations (name) values ('${name}')`),
];

// In one transaction: what a file of tests begins with is asked for a hundred times.
await env.DB.batch(
  [...env.TEST_MIGRATIONS.flatMap(({ queries }) => queries), ...NOTES].map((query) => env.DB.prepare(query)),
);
