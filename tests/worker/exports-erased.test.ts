import { env } from 'cloudflare:workers';
import { createHash } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { clearExpired } from '#worker/clear-expired.ts';
import { openDb } from '#worker/db/client.ts';
import { KEPT_MS } from '#worker/db/lifetimes.ts';
import type { Env } from '#worker/env.ts';
import { listErased, noteErased, writeExport } from '#worker/exports/index.ts';
import type { Erased } from '#worker/exports/manifest.ts';

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

test('an export leaves the list of who was erased as it is', async () => {
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
  'a list that another sweep has %s meanwhile is not overwritten, and the next sweep adds to it',
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

test('who was erased stays listed for 97 days to the millisecond', async () => {
  await noteErased(openDb(env), 'wa-zamani', NOW - KEPT_MS.erased);
  await noteErased(openDb(env), 'wa-jana', NOW - KEPT_MS.erased + 1);
  await listErased(env, openDb(env), NOW);
  expect(await listed()).toEqual([{ digest: digestOf('wa-jana'), erased_at: NOW - KEPT_MS.erased + 1 }]);
  expect(await notedDigests()).toEqual([]);
});

test('a sweep lists a thousand people at most, those who were erased first', async () => {
  await env.DB.exec(
    `with recursive series (n) as (select 1 union all select n + 1 from series limit 1001)
     insert into erased_people (digest, erased_at) select n, ${NOW} - n from series`.replaceAll('\n', ' '),
  );
  await listErased(env, openDb(env), NOW);
  expect(await listed()).toHaveLength(1_000);
  expect(await notedDigests()).toEqual(['1']);
});

test('with nobody erased no list is made', async () => {
  await listErased(env, openDb(env), NOW);
  expect(await listed()).toBeUndefined();
});

test('the record of an export goes with its objects, after 89 days to the millisecond', async () => {
  await env.DB.prepare("insert into exports (day, begun_at, migration) values ('old', ?, ''), ('young', ?, '')")
    .bind(NOW - KEPT_MS.export - 1, NOW - KEPT_MS.export)
    .run();
  await clearExpired(openDb(env), NOW);
  expect(await env.DB.prepare('select group_concat(day) as days from exports').first('days')).toBe('young');
});
