/// <reference types="vite/types/importMeta.d.ts" />

import { env } from 'cloudflare:workers';
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { expect, test } from 'vitest';
import { DAY_MS } from '#contract/durations.ts';
import { clearExpired } from '#worker/clear-expired.ts';
import { openDb } from '#worker/db/client.ts';
import { KEPT_MS } from '#worker/db/lifetimes.ts';
import * as schema from '#worker/db/schema.ts';

const [PAGE = ''] = Object.values(
  import.meta.glob<string>('/docs/scale.md', { query: '?raw', import: 'default', eager: true }),
);
/** `| table | until when a row is there | what ends it |` */
const ROWS = [...PAGE.slice(PAGE.indexOf('## What ends each row')).matchAll(/^\| `(\w+)` \| (.+?) \| (.+?) \|$/gm)].map(
  ([, table = '', until = '', by = '']) => {
    return { table, until, by };
  },
);

/** The real database, and the text of every statement that it is given. */
function recording(texts: string[]): D1Database {
  return new Proxy(env.DB, {
    get: (database, name) => {
      if (name !== 'withSession') return Reflect.get(database, name);
      return (constraint: string) => {
        const session = database.withSession(constraint);
        return {
          prepare(text: string) {
            texts.push(text);
            return session.prepare(text);
          },
          batch: (statements: D1PreparedStatement[]) => session.batch(statements),
        };
      };
    },
  });
}

test('docs/scale.md says of every table what ends its rows', () => {
  const tables = Object.values(schema).flatMap((one) => (one instanceof SQLiteTable ? [getTableConfig(one).name] : []));
  expect(ROWS.map(({ table }) => table).sort()).toEqual(tables.sort());
});

test('the sweep deletes from the tables of which docs/scale.md says so, a bounded number of rows each', async () => {
  const texts: string[] = [];
  await clearExpired(openDb({ DB: recording(texts) }), Date.now());
  const deletions = texts.filter((text) => /^\s*delete/i.test(text));
  const tables = new Set(deletions.map((text) => /from "?(\w+)/.exec(text)?.[1]));
  const named = ROWS.filter(({ by }) => by.startsWith('the sweep')).map(({ table }) => table);
  expect(deletions.filter((text) => !/\blimit\b/.test(text))).toEqual([]);
  for (const table of named) expect.soft(tables, table).toContain(table);
  const withPosts = ROWS.filter(({ by }) => by === 'with its post').map(({ table }) => table);
  expect([...tables].filter((table) => !named.includes(table ?? '')).sort()).toEqual(withPosts.sort());
});

test('docs/scale.md has each time as worker/db/lifetimes.ts does', () => {
  const stated = [...PAGE.matchAll(/(\d+) days \(`KEPT_MS\.(\w+)`\)/g)].map(([, days, name]) => [
    name,
    Number(days) * DAY_MS,
  ]);
  expect(Object.fromEntries(stated)).toEqual(KEPT_MS);
});
