import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { channelOf } from './live.ts';

/** Every row of every table as text, the search indexes and the jobs that wait in them included. */
export async function everyRow(): Promise<string> {
  const { results } = await env.DB.prepare(
    "select name from sqlite_master where type = 'table' and name not like '_cf_%'",
  ).all<{
    name: string;
  }>();
  const tables = await Promise.all(results.map(({ name }) => env.DB.prepare(`select * from "${name}"`).all()));
  return JSON.stringify(tables.map((table) => table.results)).toLowerCase();
}

/** Everything in the storage of a person's object, as text. */
export function everythingIn(person: { id: string }): Promise<string> {
  return runInDurableObject(channelOf(person), async (_object, { storage }) => {
    const tables = storage.sql
      .exec<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '_cf_%'")
      .toArray();
    const rows = tables.map(({ name }) => [name, storage.sql.exec(`SELECT * FROM "${name}"`).toArray()]);
    return JSON.stringify([rows, [...(await storage.list())]]).toLowerCase();
  });
}
