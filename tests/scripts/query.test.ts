import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { PROJECT_ROOT } from '#scripts/command/command.ts';
import { prepareDatabase } from '#scripts/database/seed.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'patikana-query-'));
  await prepareDatabase(folder, { isEmpty: true });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function query(statement: string, stateFolder = folder): Promise<string> {
  const args = ['scripts/query.ts', statement, '--persist-to', stateFolder];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: PROJECT_ROOT });
  return stdout;
}

test('the query command runs a statement on the local database and prints its rows', async () => {
  expect(await query("INSERT INTO whatsapp_dead_letters VALUES ('barua', 'reset_code', 7)")).toContain('1 written.');
  const shown = await query('SELECT id, recorded_at FROM whatsapp_dead_letters');
  expect(shown).toMatch(/id.*recorded_at[\s\S]*'barua'.*7[\s\S]*1 rows read, 0 written\./);
});

test('the query command reports an invalid statement, or a missing database, in one line', async () => {
  await expect(query('SELECT * FROM absent')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^[^\n]*no such table: absent[^\n]*\n$/),
  });
  const elsewhere = join(folder, 'elsewhere');
  await expect(query('SELECT 1', elsewhere)).rejects.toMatchObject({
    code: 1,
    stderr: `There is no database in ${elsewhere} yet: npm run dev makes it.\n`,
  });
});
