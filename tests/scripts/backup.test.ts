import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { PROJECT_ROOT } from '#scripts/command/project-root.ts';
import { applyMigrations } from '#scripts/database/apply-migrations.ts';
import { withLocalDatabase } from '#scripts/database/local-database.ts';
import { prepareDatabase } from '#scripts/database/prepare-database.ts';
import { BOOKMARK, startCloudflareApi } from '#tests/support/cloudflare-api.ts';
import { expectAtWork, fill, readAll } from './support/filled-database.ts';

// Each command of wrangler takes seconds, and a busy machine several times as many.
vi.setConfig({ testTimeout: 300_000 });

let folder: string;
let from: string;
let to: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'patikana-backup-test-'));
  from = join(folder, 'from');
  to = join(folder, 'to');
  file = join(folder, 'backup.sql');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

type Failed = { code: number; stdout: string; stderr: string };

async function run(script: 'backup' | 'restore', args: string[], env: Record<string, string> = {}) {
  const options = { cwd: PROJECT_ROOT, env: { ...process.env, ...env } };
  return promisify(execFile)(process.execPath, [`scripts/${script}.ts`, ...args], options).then(
    ({ stdout, stderr }) => ({ code: 0, printed: stdout + stderr }),
    ({ code, stdout, stderr }: Failed) => ({ code, printed: stdout + stderr }),
  );
}

const filled = mkdtempSync(join(tmpdir(), 'patikana-backup-filled-'));
beforeAll(async () => {
  await prepareDatabase(filled, { isEmpty: false });
  await withLocalDatabase(filled, fill);
}, 300_000);
afterAll(() => rmSync(filled, { recursive: true, force: true }));

function fillFolder(stateFolder: string): void {
  cpSync(filled, stateFolder, { recursive: true });
}

const readFolder = (stateFolder: string) => withLocalDatabase(stateFolder, readAll);

test('a filled database comes back whole, and works on', async () => {
  fillFolder(from);
  expect(await run('backup', [file, '--persist-to', from])).toMatchObject({ code: 0 });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await run('restore', [file, '--persist-to', to])).toMatchObject({ code: 0 });
  expect(await readFolder(to)).toEqual(await readFolder(from));
  await withLocalDatabase(to, expectAtWork);
});

test('a database with data is replaced only when that is asked for, and then wholly', async () => {
  await prepareDatabase(from, { isEmpty: false });
  await run('backup', [file, '--persist-to', from]);
  fillFolder(to);
  const before = await readFolder(to);
  const refused = await run('restore', [file, '--persist-to', to]);
  expect(refused).toMatchObject({ code: 1, printed: expect.stringContaining('--replace') });
  expect(await readFolder(to)).toEqual(before);
  expect(await run('restore', [file, '--persist-to', to, '--replace'])).toMatchObject({ code: 0 });
  expect(await readFolder(to)).toEqual(await readFolder(from));
});

test('tables without data are no reason to refuse', async () => {
  fillFolder(from);
  await run('backup', [file, '--persist-to', from]);
  await prepareDatabase(to, { isEmpty: true });
  expect(await run('restore', [file, '--persist-to', to])).toMatchObject({ code: 0 });
  expect(await readFolder(to)).toEqual(await readFolder(from));
});

test('a restoration that fails changes nothing', async () => {
  fillFolder(from);
  await run('backup', [file, '--persist-to', from]);
  fillFolder(to);
  const before = await readFolder(to);
  const spoilt = readFileSync(file, 'utf8').replace('CREATE TRIGGER posts_search_delete', 'CREATE TRIGGER nonsense !');
  writeFileSync(file, spoilt);
  expect(await run('restore', [file, '--persist-to', to, '--replace'])).toMatchObject({ code: 1 });
  expect(await readFolder(to)).toEqual(before);
  await withLocalDatabase(to, expectAtWork);
});

test('a backup of an earlier version is brought up to date', async () => {
  const migrations = join(PROJECT_ROOT, 'migrations');
  const names = readdirSync(migrations)
    .filter((name) => name.endsWith('.sql'))
    .sort();
  const earlier = join(folder, 'migrations');
  mkdirSync(earlier);
  for (const name of names.slice(0, 4)) writeFileSync(join(earlier, name), readFileSync(join(migrations, name)));
  const user =
    "INSERT INTO users (id, username, email, email_key, whatsapp_number, password_hash, created_at) VALUES ('u', 'Asha', 'e', 'e', '+255', 'h', 1)";
  const notice =
    "INSERT INTO notices (id, recipient_id, type, created_at, handed_over_at) VALUES ('n', 'u', 'matching_post', 1, 2)";
  await withLocalDatabase(from, async (db) => {
    await applyMigrations(db, earlier);
    await db.batch([db.prepare(user), db.prepare(notice)]);
  });
  await run('backup', [file, '--persist-to', from]);
  expect(await run('restore', [file, '--persist-to', to])).toMatchObject({ code: 0 });
  const { rows } = await readFolder(to);
  expect(rows.d1_migrations?.map(({ name }) => name)).toEqual(names);
  expect(rows.notices).toMatchObject([{ id: 'n', delivered_at: 2 }]);
});

test('what is no backup, not a whole one, or one of a later version, is refused', async () => {
  fillFolder(from);
  await run('backup', [file, '--persist-to', from]);
  const whole = readFileSync(file, 'utf8');
  const cases = {
    'is no backup': 'CREATE TABLE users (id);\n',
    'is not whole': whole.slice(0, -100),
    'later version': whole.replace(/0\d{3}_\w+\.sql/, '9999_from_tomorrow.sql'),
  };
  for (const [reason, content] of Object.entries(cases)) {
    writeFileSync(file, content);
    const refused = await run('restore', [file, '--persist-to', to]);
    expect(refused).toMatchObject({ code: 1, printed: expect.stringContaining(reason) });
  }
  const again = await run('backup', [file, '--persist-to', from]);
  expect(again).toMatchObject({ code: 1, printed: expect.stringContaining('exists already') });
  const empty = await run('backup', [join(folder, 'empty.sql'), '--persist-to', to]);
  expect(empty).toMatchObject({ code: 1, printed: expect.stringContaining('no tables') });
});

test('the deployed database is backed up and restored in the same way, after a bookmark', async () => {
  fillFolder(from);
  await prepareDatabase(to, { isEmpty: true });
  await withLocalDatabase(from, async (db) => {
    const api = await startCloudflareApi(db);
    const backup = await run('backup', [file, '--remote'], { ...api.env, WRANGLER_LOG_PATH: folder });
    expect(backup.code, backup.printed).toBe(0);
    // A refused export has locked databases: the search index must never be part of one.
    expect(api.asked.filter((line) => line.includes('/export'))).toHaveLength(1);
    api.close();
  });
  await withLocalDatabase(to, async (db) => {
    const api = await startCloudflareApi(db);
    const restoration = await run('restore', [file, '--remote'], { ...api.env, WRANGLER_LOG_PATH: folder });
    expect(restoration.code, restoration.printed).toBe(0);
    expect(restoration.printed).toContain(BOOKMARK);
    api.close();
  });
  expect(await readFolder(to)).toEqual(await readFolder(from));
  await withLocalDatabase(to, expectAtWork);
});
