/// <reference types="vite/types/importMeta.d.ts" />
import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { openDb, readAs } from '#worker/db/client.ts';
import { queryRows } from '#worker/db/rows.ts';
import { takeRowProblems } from './support/check-rows.ts';

const named = () => z.object({ name: z.string() });

test.each([
  ['alone', (query: ReturnType<typeof sql>) => queryRows(openDb(env), named)`${query}`],
  [
    'in a batch',
    async (query: ReturnType<typeof sql>) => {
      const db = openDb(env);
      const [rows] = await readAs(db, null, [queryRows(db, named)`${query}`]);
      return rows;
    },
  ],
])('a row that is not what its schema says is seen by the tests, %s', async (_where, ask) => {
  expect(await ask(sql`select 'Asha' as name`)).toEqual([{ name: 'Asha' }]);
  expect(takeRowProblems()).toEqual([]);
  await ask(sql`select null as name`);
  expect(takeRowProblems()).toEqual([expect.stringContaining('expected')]);
  await ask(sql`select 'Asha' as name, 1 as age`);
  expect(takeRowProblems()).toEqual([expect.stringContaining('age too much')]);
  await ask(sql`select 'Asha' as other`);
  expect(takeRowProblems()).toHaveLength(1);
});

const SOURCES = import.meta.glob<string>('/worker/**/*.ts', { query: '?raw', import: 'default', eager: true });

test('every raw statement says by a schema what it answers', () => {
  const casting = Object.entries(SOURCES).filter(([, source]) =>
    /\.(all|get|values)(<(?!RowOf<Schema>)|\(\s*sql\b)/.test(source),
  );
  expect(casting.map(([file]) => file)).toEqual([]);
});
