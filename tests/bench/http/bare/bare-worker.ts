import { Hono } from 'hono';

// The Worker that the bench compares with. It has its own table, with rows as long as posts.

type Database = {
  prepare(statement: string): { all(): Promise<{ results: unknown[] }>; run(): Promise<unknown> };
};

const MAKE = `create table if not exists things (seq integer primary key, id text, title text, location text,
  description text, posted_by text, created_at integer)`;
const FILL = `
  with recursive numbers (seq) as (select 1 union all select seq + 1 from numbers where seq < 1000)
  insert or ignore into things
  select seq, lower(hex(randomblob(16))), 'Nimepoteza kitambulisho cha NIDA cha Neema', 'Kariakoo, Dar es Salaam',
    'Kilikuwa kwenye pochi nyeusi pamoja na kadi ya benki na picha mbili', 'owner', 1700000000000 + seq from numbers`;

const app = new Hono<{ Bindings: { DB: Database } }>()
  .get('/api/fill', async (c) => {
    await c.env.DB.prepare(MAKE).run();
    await c.env.DB.prepare(FILL).run();
    return c.text('');
  })
  .get('/api/one', async (c) =>
    c.json((await c.env.DB.prepare('select * from things order by seq desc limit 1').all()).results),
  )
  .get('/api/page', async (c) =>
    c.json((await c.env.DB.prepare('select * from things order by seq desc limit 20').all()).results),
  );

export default app;
