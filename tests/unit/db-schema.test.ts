import { globSync, readFileSync } from 'node:fs';
import { generateSQLiteDrizzleJson, generateSQLiteMigration } from 'drizzle-kit/api';
import { expect, test } from 'vitest';
import * as schema from '#worker/db/schema.ts';

test('the tables of the code are those of the last migration: nobody has changed one without the other', async () => {
  const last = globSync('migrations/meta/*_snapshot.json').sort().at(-1) ?? '';
  const migrated = JSON.parse(readFileSync(last, 'utf8'));
  expect(await generateSQLiteMigration(migrated, await generateSQLiteDrizzleJson(schema))).toEqual([]);
});
