import { env } from 'cloudflare:workers';
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DAY_MS } from '#contract/durations.ts';
import { newPerson, newPost, type Person } from '#tests/worker/support/api.ts';
import { mortalEnv } from '#tests/worker/support/mortal-env.ts';
import { leave } from '#tests/worker/support/people.ts';
import { captureLogs, DEATH_STEP } from '#tests/worker/support/test-run.ts';
import { openDb } from '#worker/db/client.ts';
import type { Env } from '#worker/env.ts';
import { ERASED_KEPT_MS, listErased, noteErased } from '#worker/exports/erased.ts';
import { type Erased, type Manifest, manifestSchema } from '#worker/exports/manifest.ts';
import { EXPORTED, LEFT_OUT } from '#worker/exports/tables.ts';
import { EXPORT_KEPT_MS, writeExport } from '#worker/exports/write-export.ts';
import { clearExpired } from '#worker/retention.ts';
import { sweep } from '#worker/sweep.ts';

describe('weekly exports of the database', () => {
  /** A Sunday. Weeks of exports begin on Thursday, so the next three days are in the same week. */
  const NOW = Date.parse('2026-11-22T12:00:00Z');
  const DAY = '2026-11-22';
  const SMALL = { rows: 2, pieces: 3 };
  const MOST = { rows: 500, pieces: 100 };

  beforeEach(async () => {
    await env.DB.exec('delete from exports; delete from export_pieces; delete from erased_people');
    const keys = await keysOf('');
    if (keys.length > 0) await env.BACKUPS.delete(keys);
  });
  afterEach(() => void vi.unstubAllGlobals());

  async function keysOf(prefix: string): Promise<string[]> {
    return (await env.BACKUPS.list({ prefix })).objects.map(({ key }) => key);
  }

  async function readManifest(day: string): Promise<Manifest | null> {
    const object = await env.BACKUPS.get(`exports/${day}/manifest.json`);
    return object && manifestSchema.parse(await object.json());
  }

  /** Runs the export job until the manifest exists. @returns the number of runs. */
  async function exportAll(day: string, now: number, bounds = SMALL): Promise<number> {
    for (let sweeps = 1; ; sweeps++) {
      await writeExport(env, openDb(env), now, bounds);
      if ((await readManifest(day)) !== null) return sweeps;
    }
  }

  /** The exported rows of a table. */
  async function readBack({ day, tables }: Manifest, name: string): Promise<unknown[]> {
    const pieces = tables.find((table) => table.name === name)?.pieces ?? [];
    const rows: unknown[] = [];
    for (const { file, sha256, rows: count } of pieces) {
      const object = await env.BACKUPS.get(`exports/${day}/${file}`);
      expect(Buffer.from(object?.checksums.sha256 ?? new ArrayBuffer()).toString('hex')).toBe(sha256);
      const text = (await object?.text()) ?? 'absent';
      expect(createHash('sha256').update(text).digest('hex')).toBe(sha256);
      const lines = text.split('\n').filter((line) => line !== '');
      expect(lines).toHaveLength(count);
      rows.push(...lines.map((line) => JSON.parse(line)));
    }
    return rows;
  }

  async function expectWhole(day: string): Promise<void> {
    const manifest = await readManifest(day);
    if (!manifest) throw new Error('no manifest');
    expect(manifest.tables.map(({ name }) => name)).toEqual(EXPORTED);
    for (const { name, rows } of manifest.tables) {
      const { results } = await env.DB.prepare(`select * from ${name} order by rowid`).all();
      expect([name, await readBack(manifest, name)]).toEqual([name, results]);
      expect([name, rows]).toEqual([name, results.length]);
    }
  }

  async function fill(): Promise<Person> {
    const author = await newPerson();
    for (let count = 0; count < 5; count++) await newPost(author);
    return author;
  }

  test('every table is exported, or excluded with a reason', async () => {
    const { results } = await env.DB.prepare(
      `select name from pragma_table_list where schema = 'main' and type not in ('shadow', 'view')
       and name not glob 'sqlite_*' and name not glob '_cf_*'`,
    ).all<{ name: string }>();
    expect([...EXPORTED, ...Object.keys(LEFT_OUT)].sort()).toEqual(results.map(({ name }) => name).sort());
    expect(
      EXPORTED.filter((name) => /device|session|step_up|code|proof|link|challenge|subscription/.test(name)),
    ).toEqual([]);
  });

  test('the scheduled job exports all rows in files of limited size, and each run writes a limited number of files', async () => {
    await fill();
    const sweeps = await exportAll(DAY, NOW);
    const { tables = [], migration, ...rest } = (await readManifest(DAY)) ?? {};
    const pieces = tables.flatMap((table) => table.pieces);
    expect(Math.max(...pieces.map(({ rows }) => rows))).toBe(SMALL.rows);
    expect(sweeps).toBeGreaterThanOrEqual(pieces.length / SMALL.pieces);
    expect(migration).toBe(env.TEST_MIGRATIONS.at(-1)?.name);
    const sequences = await env.DB.prepare('select name, seq from sqlite_sequence').raw<[string, number]>();
    expect(rest).toEqual({ day: DAY, begun_at: NOW, sequences: Object.fromEntries(sequences) });
    const ofPosts = tables.find(({ name }) => name === 'posts')?.pieces.map(({ file }) => file.slice(0, 12));
    expect(ofPosts?.slice(0, 3)).toEqual(['posts/000000', 'posts/000001', 'posts/000002']);
    await expectWhole(DAY);
    expect((await env.DB.prepare('select * from export_pieces').all()).results).toEqual([]);
    expect(await env.DB.prepare('select finished_at from exports where day = ?').bind(DAY).first('finished_at')).toBe(
      NOW,
    );
  });

  test('one run of the scheduled job writes at most twenty export files, each with at most 500 rows', async () => {
    await env.DB.exec(
      `with recursive series (n) as (select 1 union all select n + 1 from series limit 501)
     insert into barred_keys (key, ends_at) select n, 1 from series`.replaceAll('\n', ' '),
    );
    await writeExport(env, openDb(env), NOW);
    expect(await env.DB.prepare('select count(*) as n from export_pieces').first('n')).toBe(20);
    await writeExport(env, openDb(env), NOW);
    const manifest = await readManifest(DAY);
    expect(manifest?.tables.find(({ name }) => name === 'barred_keys')?.pieces.map(({ rows }) => rows)).toEqual([
      500, 1,
    ]);
    await env.DB.exec('delete from barred_keys');
  });

  test('if a Worker dies at any point of an export, the next runs of the scheduled job complete the export', async () => {
    await fill();
    const bounds = { rows: 40, pieces: EXPORTED.length - 2 };
    await writeExport(env, openDb(env), NOW, bounds);
    await env.DB.exec('create table nearly_done as select * from export_pieces');
    let deaths = 0;
    for (let dieAt = 0; dieAt <= deaths; dieAt += DEATH_STEP) {
      const mortal = mortalEnv(dieAt);
      captureLogs();
      await writeExport(mortal.env, openDb(mortal.env), NOW, bounds).catch(() => undefined);
      vi.unstubAllGlobals();
      if (mortal.isDead()) deaths += DEATH_STEP;
      await exportAll(DAY, NOW, bounds);
      await expectWhole(DAY);
      await env.BACKUPS.delete(`exports/${DAY}/manifest.json`);
      await env.DB.exec(
        'update exports set finished_at = null; delete from export_pieces; insert into export_pieces select * from nearly_done',
      );
    }
    await env.DB.exec('drop table nearly_done');
    // The Worker may die before and after each call to D1 or R2. Two calls begin the run, three write each of the two
    // tables that are not yet exported, and six finish the export.
    expect(deaths).toBeGreaterThanOrEqual(2 * (2 + 3 * 2 + 6));
  }, 120_000);

  test('two concurrent runs of the scheduled job write one export', async () => {
    const author = await fill();
    const db = openDb(env);
    const others = async () => {
      await newPost(author);
      await writeExport(env, db, NOW, { rows: 2, pieces: 1 });
    };
    for (let rounds = 0; (await readManifest(DAY)) === null; rounds++)
      await Promise.all([writeExport(env, db, NOW, { rows: 2, pieces: 2 }), rounds < 40 ? others() : undefined]);
    const manifest = await readManifest(DAY);
    for (const name of EXPORTED) if (manifest) await readBack(manifest, name);
    expect(manifest?.tables.filter(({ pieces }) => pieces.length === 0)).toEqual([]);
  });

  test('an export starts once a week, and again after a migration', async () => {
    const author = await fill();
    await exportAll(DAY, NOW, MOST);
    await writeExport(env, openDb(env), NOW + 3 * DAY_MS, SMALL);
    expect(await keysOf('exports/2026-11-25/')).toEqual([]);
    const thursday = Date.parse('2026-11-26T00:00:00Z');
    await writeExport(env, openDb(env), thursday, { rows: 500, pieces: EXPORTED.length });
    expect(await keysOf('exports/2026-11-26/')).not.toEqual([]);
    await env.DB.exec("insert into d1_migrations (name) values ('9999_later.sql')");
    await env.DB.prepare('update users set username = ? where id = ?').bind('Jina la baadaye', author.id).run();
    await exportAll('2026-11-26', thursday + 60_000, MOST);
    await env.DB.exec("delete from d1_migrations where name = '9999_later.sql'");
    expect((await readManifest('2026-11-26'))?.migration).toBe('9999_later.sql');
    await expectWhole('2026-11-26');
    await writeExport(env, openDb(env), thursday + DAY_MS, SMALL);
    expect(await keysOf('exports/2026-11-27/')).toEqual([]);
    await writeExport(env, openDb(env), thursday + 7 * DAY_MS, SMALL);
    expect(await keysOf('exports/2026-12-03/')).not.toEqual([]);
  });

  test('an export that fails, or takes longer than a day, raises an alarm', async () => {
    const { error } = captureLogs();
    const events = () => error.mock.calls.map(([line]) => line.event);
    const BACKUPS = { put: () => Promise.reject(new Error('R2 is down')) } as unknown as R2Bucket;
    const broken: Env = { ...env, BACKUPS };
    await writeExport(broken, openDb(env), NOW, SMALL);
    expect(events()).toEqual(['export_failed']);
    await writeExport(env, openDb(env), NOW + DAY_MS, { rows: 2, pieces: 1 });
    expect(events()).toEqual(['export_failed']);
    await writeExport(broken, openDb(env), NOW + DAY_MS + 1, SMALL);
    expect(events()).toEqual(['export_failed', 'export_overdue', 'export_failed']);
    expect(await readManifest(DAY)).toBeNull();
    await exportAll(DAY, NOW + DAY_MS + 2);
  });

  test('each run of the scheduled job deletes a limited number of files from exports older than thirteen weeks', async () => {
    const old = Array.from({ length: 501 }, (_, index) => `exports/2026-08-20/posts/${index}.jsonl`);
    for (const key of [...old, 'exports/2026-08-27/manifest.json', 'elsewhere']) await env.BACKUPS.put(key, 'x');
    await sweep(env, NOW);
    expect(await keysOf('exports/2026-08-20/')).toHaveLength(1);
    await sweep(env, NOW + 60_000);
    expect(await keysOf('exports/2026-08-20/')).toEqual([]);
    expect(await keysOf('exports/2026-08-27/')).toHaveLength(1);
    expect(await keysOf('elsewhere')).toHaveLength(1);
    expect(await readManifest(DAY)).not.toBeNull();
  });

  test('the digest of an erased account is stored beside the exports as long as an export contains the account', async () => {
    const { id } = await leaver();
    const listed = async () => (await env.BACKUPS.get('erased.json'))?.json<Erased>();
    await exportAll(DAY, NOW);
    expect(await listed()).toEqual([]);
    await sweep(env);
    const digest = createHash('sha256').update(id).digest('hex');
    expect(await listed()).toMatchObject([{ digest }]);
    expect((await env.DB.prepare('select * from erased_people').all()).results).toEqual([]);
    await noteErased(openDb(env), 'mwingine', Date.now() + 98 * DAY_MS);
    await listErased(env, openDb(env), Date.now() + 98 * DAY_MS);
    expect(await listed()).toMatchObject([{ digest: createHash('sha256').update('mwingine').digest('hex') }]);
  });

  test('if a Worker dies while adding erased accounts to the stored list, the next run of the scheduled job adds them', async () => {
    let deaths = 0;
    for (let dieAt = 0; dieAt <= deaths; dieAt += DEATH_STEP) {
      await noteErased(openDb(env), `mtu ${dieAt}`, NOW);
      const mortal = mortalEnv(dieAt);
      await listErased(mortal.env, openDb(mortal.env), NOW).catch(() => undefined);
      if (mortal.isDead()) deaths += DEATH_STEP;
      await Promise.all([listErased(env, openDb(env), NOW), listErased(env, openDb(env), NOW)]);
      expect(await (await env.BACKUPS.get('erased.json'))?.json<Erased>()).toHaveLength(dieAt / DEATH_STEP + 1);
    }
    expect(deaths).toBeGreaterThanOrEqual(8);
  });

  async function leaver(): Promise<Person> {
    const person = await newPerson();
    expect((await leave(person)).status).toBe(204);
    return person;
  }
});

describe('the stored list of erased people', () => {
  const NOW = Date.parse('2026-11-22T12:00:00Z');

  beforeEach(async () => {
    await env.DB.exec('delete from exports; delete from export_pieces; delete from erased_people');
    const keys = (await env.BACKUPS.list()).objects.map(({ key }) => key);
    if (keys.length > 0) await env.BACKUPS.delete(keys);
  });

  const digestOf = (id: string) => createHash('sha256').update(id).digest('hex');

  async function listed(): Promise<Erased | undefined> {
    return (await env.BACKUPS.get('erased.json'))?.json<Erased>();
  }

  async function notedDigests(): Promise<unknown[]> {
    const { results } = await env.DB.prepare('select digest from erased_people').all<{ digest: string }>();
    return results.map(({ digest }) => digest);
  }

  test('is not changed by an export', async () => {
    await noteErased(openDb(env), 'mtu', NOW);
    await listErased(env, openDb(env), NOW);
    await writeExport(env, openDb(env), NOW, { rows: 500, pieces: 100 });
    expect((await env.BACKUPS.head('exports/2026-11-22/manifest.json'))?.size).toBeGreaterThan(0);
    expect(await listed()).toEqual([{ digest: digestOf('mtu'), erased_at: NOW }]);
  });

  test.each<[what: string, before: Erased | null]>([
    ['made', null],
    ['changed', [{ digest: 'wa-kwanza', erased_at: NOW }]],
  ])(
    'is not overwritten if a concurrent run of the scheduled job has just %s the list; the next run adds the people not yet listed',
    async (_, before) => {
      const theirs: Erased = [...(before ?? []), { digest: 'wa-mwingine', erased_at: NOW }];
      if (before) await env.BACKUPS.put('erased.json', JSON.stringify(before));
      const overtaken = {
        async get(key: string) {
          const object = await env.BACKUPS.get(key);
          await env.BACKUPS.put(key, JSON.stringify(theirs));
          return object;
        },
        put: (...args: Parameters<R2Bucket['put']>) => env.BACKUPS.put(...args),
      };
      await noteErased(openDb(env), 'mtu', NOW);
      await listErased({ BACKUPS: overtaken as unknown as Env['BACKUPS'] }, openDb(env), NOW);
      expect(await listed()).toEqual(theirs);
      expect(await notedDigests()).toEqual([digestOf('mtu')]);
      await listErased(env, openDb(env), NOW);
      expect(await listed()).toEqual([...theirs, { digest: digestOf('mtu'), erased_at: NOW }]);
      expect(await notedDigests()).toEqual([]);
    },
  );

  test('contains an erased person for 97 days', async () => {
    await noteErased(openDb(env), 'wa-zamani', NOW - ERASED_KEPT_MS);
    await noteErased(openDb(env), 'wa-jana', NOW - ERASED_KEPT_MS + 1);
    await listErased(env, openDb(env), NOW);
    expect(await listed()).toEqual([{ digest: digestOf('wa-jana'), erased_at: NOW - ERASED_KEPT_MS + 1 }]);
    expect(await notedDigests()).toEqual([]);
  });

  test('grows by at most a thousand people per run of the scheduled job, the earliest erased first', async () => {
    await env.DB.exec(
      `with recursive series (n) as (select 1 union all select n + 1 from series limit 1001)
     insert into erased_people (digest, erased_at) select n, ${NOW} - n from series`.replaceAll('\n', ' '),
    );
    await listErased(env, openDb(env), NOW);
    expect(await listed()).toHaveLength(1_000);
    expect(await notedDigests()).toEqual(['1']);
  });

  test('is not written if nobody was erased', async () => {
    await listErased(env, openDb(env), NOW);
    expect(await listed()).toBeUndefined();
  });

  test('is stored outside the table “exports”, because the rows of that table are deleted after 89 days', async () => {
    await env.DB.prepare("insert into exports (day, begun_at, migration) values ('old', ?, ''), ('young', ?, '')")
      .bind(NOW - EXPORT_KEPT_MS - 1, NOW - EXPORT_KEPT_MS)
      .run();
    await clearExpired(openDb(env), NOW);
    expect(await env.DB.prepare('select group_concat(day) as days from exports').first('days')).toBe('young');
  });
});
