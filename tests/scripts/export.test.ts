import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { PROJECT_ROOT } from '#scripts/command/command.ts';
import {
  type LocalBucket,
  type LocalDatabase,
  withLocalBucket,
  withLocalDatabase,
} from '#scripts/database/local-database.ts';
import { prepareDatabase } from '#scripts/database/seed.ts';
import { localTarget, readSchema } from '#scripts/restore/target.ts';
import { restore } from '#scripts/restore.ts';
import { findInconsistencies } from '#tests/support/find-inconsistencies.ts';
import { openDb } from '#worker/db/client.ts';
import type { Manifest } from '#worker/exports/manifest.ts';
import { EXPORTED } from '#worker/exports/tables.ts';
import { writeExport } from '#worker/exports/write-export.ts';
import { renewReadings } from '#worker/matching/renew-readings.ts';

// Each command takes seconds, and several times longer on a busy machine.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const DAY = '2026-11-22';
const NOW = Date.parse(`${DAY}T12:00:00Z`);
const SMALL = { rows: 3, pieces: 4 };

/** Texts that may break an SQL dump. */
const AWKWARD = [
  "Asha's ID; DROP TABLE posts; -- 'gone'",
  'two\nlines and C:\\new\\readme',
  'a\r\nb\\r\\nc\\\\n',
  'BEGIN\nCASE WHEN $1 THEN $tag$ END;',
  'kiatu 👟 “ndala” \u202e',
  '',
];

/** Statements that fill the tables which the demo data leaves empty. */
const REFERRING = [
  "UPDATE posts SET is_found = 1 WHERE id GLOB 'awkward-*'",
  "UPDATE match_pairs SET lost_post_id = 'awkward-0', found_post_id = 'awkward-1'",
  "INSERT INTO match_answers (pair_id, user_id, answer, answered_at) SELECT 'a', author_id, 'confirmed', 1 FROM posts WHERE seq = 1",
  `INSERT INTO photos (id, post_id, author_id, position, width, height, alt, has_og, created_at)
   SELECT 'h' || seq, id, author_id, 0, 320, 240, title, 1, created_at FROM posts`,
  "DELETE FROM photos WHERE id = 'h2'",
];

let folder: string;
let from: string;
/** The folder of the downloaded export. Tests change only copies of this folder. */
let fetched: string;
let exported: Awaited<ReturnType<typeof readExported>>;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'patikana-export-test-'));
  from = join(folder, 'from');
  fetched = join(folder, 'fetched');
  await prepareDatabase(from, { isEmpty: false });
  await withLocalDatabase(from, async (db) => {
    await fill(db);
    await db.batch(REFERRING.map((statement) => db.prepare(statement)));
    await withLocalBucket(from, 'BACKUPS', (bucket) => exportAll(db, bucket));
    exported = await readExported(db);
  });
  const fetching = await run('fetch-export', [DAY, fetched, '--persist-to', from]);
  expect(fetching.code, fetching.printed).toBe(0);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Runs the export job until the export is complete. The job often dies in between: before it writes an object to the
 * bucket, or after it.
 */
async function exportAll(db: LocalDatabase, bucket: LocalBucket): Promise<void> {
  const quiet = vi.spyOn(console, 'error').mockReturnValue();
  let points = 0;
  const dieIfDue = () => {
    if (++points % 7 === 0) throw new Error('killed');
  };
  const put = async (...object: Parameters<LocalBucket['put']>) => {
    dieIfDue();
    await bucket.put(...object);
    dieIfDue();
  };
  const env = { BACKUPS: { put } } as unknown as Parameters<typeof writeExport>[0];
  while ((await bucket.head(`exports/${DAY}/manifest.json`)) === null)
    await writeExport(env, openDb({ DB: db }), NOW, SMALL);
  expect(quiet.mock.calls.length).toBeGreaterThan(10);
  quiet.mockRestore();
}

type Row = Record<string, unknown>;
type Failed = { code: number; stdout: string; stderr: string };

async function run(script: 'fetch-export' | 'restore', args: string[]) {
  return promisify(execFile)(process.execPath, [`scripts/${script}.ts`, ...args], { cwd: PROJECT_ROOT }).then(
    ({ stdout, stderr }) => ({ code: 0, printed: stdout + stderr }),
    ({ code, stdout, stderr }: Failed) => ({ code, printed: stdout + stderr }),
  );
}

/** Restores the export into a new database, and passes the database to `use`. @returns what the restore printed. */
async function restoreNew(source: string, use: (db: LocalDatabase) => Promise<void>): Promise<string> {
  const to = mkdtempSync(join(folder, 'restored-'));
  const print = vi.spyOn(console, 'log').mockReturnValue();
  await restore([source, '--persist-to', to]);
  const printed = print.mock.calls.flat().join('\n');
  print.mockRestore();
  await withLocalDatabase(to, use);
  return printed;
}

function copyFetched(name: string): string {
  const copy = join(folder, name);
  cpSync(fetched, copy, { recursive: true });
  return copy;
}

/**
 * Reads the exported tables without the two columns that a restore changes: `applied_at` and `token_version`. The new
 * `token_version` ends all sessions.
 */
async function readExported(db: LocalDatabase) {
  const { rows, parts } = await readAll(db);
  const exported = [...EXPORTED, 'd1_migrations'].map((name) => [
    name,
    rows[name]?.map(({ token_version: _, applied_at: __, ...row }) => row),
  ]);
  const sequences = rows.sqlite_sequence?.toSorted((left, right) => (String(left.name) < String(right.name) ? -1 : 1));
  return { parts, sequences, rows: Object.fromEntries(exported) as Record<string, Row[]> };
}

const ask = (db: LocalDatabase) => async (statement: string) =>
  (await db.prepare(statement).all<Record<string, unknown>>()).results;

async function expectConsistent(db: LocalDatabase): Promise<void> {
  expect(await findInconsistencies(ask(db), { isSettled: false })).toEqual([]);
  expect(await ask(db)('PRAGMA foreign_key_check')).toEqual([]);
  const unread = `select id from posts p where not is_found and away_since is null and hidden_by = 0
    and not exists (select 1 from match_terms where post_seq = p.seq)
    and exists (select 1 from match_readings where post_seq = p.seq and version = '')`;
  expect(await ask(db)(unread)).toEqual([]);
}

test('a restore recovers all data of an export, and the app works with the restored database', async () => {
  const to = join(folder, 'whole');
  expect(statSync(fetched).mode & 0o777).toBe(0o700);
  await restore([fetched, '--persist-to', to]);
  await withLocalDatabase(to, async (db) => {
    expect(await readExported(db)).toEqual(exported);
    const [read] = await ask(db)('select count(*) as posts from match_readings');
    expect(read?.posts).toBeGreaterThan(10);
    expect(await ask(db)('select id from users where token_version < 1000000')).toEqual([]);
    await expectConsistent(db);
    await expectAtWork(db);
  });
});

test('a restore refuses a database that already has data, and replaces the data only with the option --replace', async () => {
  const to = join(folder, 'filled');
  cpSync(from, to, { recursive: true });
  await withLocalDatabase(to, async (db) => {
    await db.prepare("UPDATE posts SET title = 'Zamani'").run();
    const before = await readExported(db);
    await expect(restore([fetched, '--persist-to', to])).rejects.toThrow('--replace');
    expect(await readExported(db)).toEqual(before);
    await restore([fetched, '--persist-to', to, '--replace']);
    expect(await readExported(db)).toEqual(exported);
  });
});

test('if one statement of an SQL file fails, the whole file changes nothing in the database', async () => {
  const to = join(folder, 'unchanged');
  cpSync(from, to, { recursive: true });
  const file = join(folder, 'broken.sql');
  writeFileSync(file, 'DROP TRIGGER posts_search_delete;\nINSERT INTO nowhere VALUES (1);\n');
  await withLocalDatabase(to, async (db) => {
    await expect(localTarget(db).runFile(file)).rejects.toThrow('nowhere');
    expect(await readExported(db)).toEqual(exported);
  });
});

test('an export that is damaged, incomplete or from a newer version is refused before the database is created', async () => {
  const copy = copyFetched('spoilt');
  const to = join(folder, 'refused');
  const [{ file = '' } = {}] = readManifest(copy).tables.find(({ name }) => name === 'posts')?.pieces ?? [];
  const bytes = readFileSync(join(copy, file));
  bytes[100] = (bytes[100] ?? 0) ^ 1;
  writeFileSync(join(copy, file), bytes);
  const refused = await run('restore', [copy, '--persist-to', to]);
  expect(refused).toMatchObject({ code: 1, printed: expect.stringContaining('is not as it was written') });
  expect(existsSync(to)).toBe(false);
  const expectRefused = async (reason: string) => {
    await expect(restore([copy, '--persist-to', to])).rejects.toThrow(reason);
    expect(existsSync(to)).toBe(false);
  };
  const manifest = readManifest(copy);
  const writeManifest = (changed: Manifest) => writeFileSync(join(copy, 'manifest.json'), JSON.stringify(changed));
  writeManifest({ ...manifest, migration: '9999_from_tomorrow.sql' });
  await expectRefused('later version');
  writeManifest(manifest);
  rmSync(join(copy, file));
  await expectRefused('is missing');
  rmSync(join(copy, 'manifest.json'));
  await expectRefused('is no whole export');
});

test('accounts that were erased after the export are also erased from the restored tables', async () => {
  const copy = copyFetched('with-erased');
  const { rows } = exported;
  const authors = rows.posts?.map((post) => post.author_id);
  const gone = rows.users?.find((user) => authors?.includes(user.id));
  const digest = createHash('sha256').update(String(gone?.id)).digest('hex');
  writeFileSync(join(copy, 'erased.json'), JSON.stringify([{ digest, erased_at: NOW }]));
  let left = '';
  const printed = await restoreNew(copy, async (db) => {
    await expectConsistent(db);
    left = JSON.stringify((await readAll(db)).rows);
  });
  expect(printed).toContain('now again: 1.');
  for (const trace of [gone?.id, gone?.email]) expect([trace, left.includes(String(trace))]).toEqual([trace, false]);
  const others = rows.users?.filter(({ id }) => id !== gone?.id) ?? [];
  for (const { id } of others) expect([id, left.includes(String(id))]).toEqual([id, true]);
});

test('a restore omits rows whose user is missing from the export, and writes only one copy of a row that was exported twice', async () => {
  const copy = copyFetched('torn');
  const { rows } = exported;
  const last = rows.posts?.at(-1);
  const author = rows.posts?.find((post) => post.author_id !== last?.author_id)?.author_id;
  // A user was erased after their posts had been exported, and one post was exported twice.
  rewrite(copy, 'users', (users) => users.filter(({ id }) => id !== author));
  rewrite(copy, 'posts', (posts) => [...posts, ...posts.slice(-1).map((post): Row => ({ ...post, title: 'Jipya' }))]);
  const printed = await restoreNew(copy, async (db) => {
    await expectConsistent(db);
    const restored = await readExported(db);
    expect(restored.rows.d1_migrations).toEqual(rows.d1_migrations);
    expect(restored.rows.posts?.at(-1)).toMatchObject({ id: last?.id, title: 'Jipya' });
    expect(restored.rows.posts?.some((post) => post.author_id === author)).toBe(false);
  });
  expect(printed).toMatch(/posts: \d+ rows are left out/);
});

function readManifest(export_: string): Manifest {
  return JSON.parse(readFileSync(join(export_, 'manifest.json'), 'utf8')) as Manifest;
}

/** Changes the rows of one table in an export. */
function rewrite(copy: string, name: string, change: (rows: Row[]) => Row[]): void {
  const manifest = readManifest(copy);
  const table = manifest.tables.find((one) => one.name === name);
  const lines = table?.pieces.flatMap(({ file }) => readFileSync(join(copy, file), 'utf8').split('\n').slice(0, -1));
  const rows = change((lines ?? []).map((line) => JSON.parse(line) as Row));
  const text = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  const sha256 = createHash('sha256').update(text).digest('hex');
  const file = `${name}/changed.jsonl`;
  writeFileSync(join(copy, file), text);
  if (table) Object.assign(table, { rows: rows.length, pieces: [{ file, rows: rows.length, sha256 }] });
  writeFileSync(join(copy, 'manifest.json'), JSON.stringify(manifest));
}

/** Adds data that an export could lose or change: unusual texts, a post that is deleted again, and a long fraction. */
async function fill(db: LocalDatabase): Promise<void> {
  const copy = `INSERT INTO posts (id, author_id, title, owner_first_name, owner_last_name, location, phone_number,
      description, posted_by, kind, search_text, created_at)
    SELECT ?1, author_id, ?2, '', '', location || ' ndala', phone_number, ?2, posted_by, kind, ?2 || char(10) || 'ndala', created_at
    FROM posts WHERE seq = 1`;
  await db.batch([
    ...AWKWARD.map((text, index) => db.prepare(copy).bind(`awkward-${index}`, text)),
    db.prepare(copy).bind('last', 'deleted again'),
    db.prepare("DELETE FROM posts WHERE id = 'last'"),
    db.prepare(
      "INSERT INTO match_pairs (id, lost_post_id, found_post_id, score, reasons, created_at) VALUES ('a', 'b', 'c', 0.1 + 0.2, '[]', 1)",
    ),
    db
      .prepare("INSERT INTO feedback (id, email, message, created_at) VALUES ('f', 'a@example.com', ?, 1)")
      .bind(AWKWARD[1]),
  ]);
  await db.prepare('UPDATE posts SET match_pending_since = NULL').run();
  // Renews all stored readings (what the text of each post says). A scheduled sweep would renew only a few.
  const unread = db.prepare(`
    SELECT 1 FROM search_meanings m JOIN posts p ON p.seq = m.post_seq
    WHERE m.version = '' AND p.match_pending_since IS NULL LIMIT 1`);
  while ((await unread.first()) !== null) await renewReadings(openDb({ DB: db }));
}

/** Returns everything: each table's rows, SQLite's counters, and the tables, indexes and triggers. */
async function readAll(db: LocalDatabase) {
  const schema = await readSchema(localTarget(db));
  const names = [...schema.tables.map(({ name }) => name), 'sqlite_sequence'];
  // Ordered by row id, which is the order of writing.
  const queries = names.map((name) => db.prepare(`SELECT * FROM "${name}" ORDER BY rowid`));
  const results = await db.batch<Row>(queries);
  const rows: Record<string, Row[]> = Object.fromEntries(
    names.map((name, index) => [name, results[index]?.results ?? []]),
  );
  const parts = [...schema.tables, ...schema.views, ...schema.searchIndexes, ...schema.others]
    .map(({ sql }) => sql)
    .sort();
  return { rows, parts };
}

/** Writes and searches posts, and adds members to communities, to test the search index and every trigger. */
async function expectAtWork(db: LocalDatabase): Promise<void> {
  const find = (text: string) =>
    db.prepare('SELECT rowid FROM posts_search WHERE posts_search MATCH ?').bind(`"${text}"`).all<{ rowid: number }>();
  // Fails if the search index does not match the posts.
  const check = () => db.prepare("INSERT INTO posts_search (posts_search, rank) VALUES ('integrity-check', 1)").run();
  await check();
  expect((await find('ndala')).results).toHaveLength(AWKWARD.length);
  const highest = await db.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'posts'").first<number>('seq');
  const insert = `INSERT INTO posts (id, author_id, title, owner_first_name, owner_last_name, location, phone_number,
      description, posted_by, kind, search_text, created_at)
    SELECT 'new', author_id, '', '', '', '', '', '', 'owner', 'other', 'mwavuli mwekundu', 1 FROM posts LIMIT 1 RETURNING seq`;
  const seq = await db.prepare(insert).first<number>('seq');
  expect(seq).toBe((highest ?? 0) + 1);
  expect((await find('mwavuli')).results).toEqual([{ rowid: seq }]);
  await db.prepare("UPDATE posts SET search_text = 'kofia' WHERE id = 'new'").run();
  expect((await find('mwavuli')).results).toEqual([]);
  expect((await find('kofia')).results).toEqual([{ rowid: seq }]);
  await db.prepare("DELETE FROM posts WHERE id = 'new'").run();
  await check();
  await db.batch([
    db.prepare(`INSERT INTO memberships (community_id, user_id, role, joined_at)
      SELECT communities.id, users.id, 'member', 9 FROM communities, users
      WHERE NOT EXISTS (SELECT 1 FROM memberships WHERE community_id = communities.id AND user_id = users.id)`),
    db.prepare('DELETE FROM memberships WHERE joined_at > 9'),
  ]);
  const counts = await db
    .prepare(
      'SELECT member_count, (SELECT count(*) FROM memberships WHERE community_id = id) AS members FROM communities',
    )
    .all<{ member_count: number; members: number }>();
  expect(counts.results.length).toBeGreaterThan(0);
  for (const { member_count, members } of counts.results) expect(member_count).toBe(members);
}
