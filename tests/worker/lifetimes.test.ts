import { env } from 'cloudflare:workers';
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { expect, test } from 'vitest';
import { clearExpired } from '#worker/clear-expired.ts';
import { openDb } from '#worker/db/client.ts';
import * as schema from '#worker/db/schema.ts';

/** Tables from which the sweep deletes nothing, with what ends their rows instead. */
const ENDED_OTHERWISE: Record<string, string> = {
  users: 'closing the account',
  phone_numbers: 'closing the account',
  passkeys: 'closing the account',
  notice_settings: 'closing the account',
  whatsapp_words: 'closing the account',
  blocks: 'lifting the block',
  communities: 'closing the community',
  memberships: 'leaving',
  push_subscriptions: 'signing out',
  value_shares: 'the next count replaces them',
  erasures: 'the erasure itself',
  photo_leftovers: 'deleting the objects',
  export_pieces: 'the complete export',
  erased_people: 'the next export',
  whatsapp_pauses: 'one row a channel',
  heartbeats: 'one row',
  switched_off: 'one row a switch',
  token_checks: 'always empty',
  standing_checks: 'always empty',
};

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

/** The deletions of one sweep, each with its table. */
async function deletionsOfSweep(): Promise<{ text: string; table: string }[]> {
  const texts: string[] = [];
  await clearExpired(openDb({ DB: recording(texts) }), Date.now());
  const deletions = texts.filter((text) => /^\s*delete/i.test(text));
  return deletions.map((text) => ({ text, table: /from "?(\w+)/.exec(text)?.[1] ?? '' }));
}

test('the sweep deletes from every table whose rows nothing else ends', async () => {
  const tables = Object.values(schema).flatMap((one) => (one instanceof SQLiteTable ? [getTableConfig(one).name] : []));
  const swept = new Set((await deletionsOfSweep()).map(({ table }) => table));
  expect([...swept, ...Object.keys(ENDED_OTHERWISE)].sort()).toEqual(tables.sort());
});

test('each deletion of the sweep has a limit', async () => {
  expect((await deletionsOfSweep()).filter(({ text }) => !/\blimit\b/.test(text))).toEqual([]);
});
