import { env } from 'cloudflare:workers';
import { type SQL, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS } from '#contract/durations.ts';
import { openDb } from '#worker/db/client.ts';
import { deleteSome } from '#worker/db/delete-some.ts';
import { claimKey, clearExpiredKeys, hasClaimed, releaseKey, selectMade } from '#worker/db/idempotency.ts';
import { nextTry } from '#worker/db/next-try.ts';
import { whatsappIncoming } from '#worker/db/schema.ts';
import { newPerson } from './support/api.ts';

const NOW = Date.now();
const db = openDb(env);

async function newViewer() {
  const { id } = await newPerson();
  return { userId: id, tokenVersion: 1, sessionId: 'none' };
}
type Viewer = Parameters<typeof claimKey>[1];

function keyOf(key: string) {
  return { key, bodyDigest: `digest of ${key}` };
}

async function isTrue(condition: SQL): Promise<boolean> {
  const [row] = await db.all<{ is: number }>(sql`select ${condition} as "is"`);
  return row?.is === 1;
}

async function keysOf(...viewers: Viewer[]): Promise<string[]> {
  const ids = JSON.stringify(viewers.map(({ userId }) => userId));
  const rows = await db.all<{ made: string }>(sql`
    select post_id as made from idempotency_keys where user_id in (select value from json_each(${ids})) order by made`);
  return rows.map(({ made }) => made);
}

test('a key holds for 24 hours to the millisecond', async () => {
  const viewer = await newViewer();
  const key = keyOf('a');
  await claimKey(db, viewer, key, 'first', NOW);
  await claimKey(db, viewer, key, 'second', NOW + DAY_MS);
  await clearExpiredKeys(db, NOW + DAY_MS);
  expect(await isTrue(hasClaimed(viewer, key, 'second'))).toBe(false);
  expect(await selectMade(db, viewer, key, NOW + DAY_MS)).toEqual([{ id: 'first', body_digest: 'digest of a' }]);

  expect(await selectMade(db, viewer, key, NOW + DAY_MS + 1)).toEqual([]);
  await claimKey(db, viewer, { ...key, bodyDigest: 'another' }, 'second', NOW + DAY_MS + 1);
  expect(await isTrue(hasClaimed(viewer, key, 'second'))).toBe(true);
  expect(await selectMade(db, viewer, key, NOW + 2 * DAY_MS)).toEqual([{ id: 'second', body_digest: 'another' }]);

  await clearExpiredKeys(db, NOW + 2 * DAY_MS + 2);
  expect(await keysOf(viewer)).toEqual([]);
});

test('a key is its person’s, and one of several', async () => {
  const [asha, juma] = [await newViewer(), await newViewer()];
  await claimKey(db, asha, keyOf('a'), 'asha a', NOW);
  await claimKey(db, juma, keyOf('b'), 'juma b', NOW);
  await claimKey(db, asha, keyOf('b'), 'asha b', NOW);
  for (const [viewer, key, made] of [
    [asha, 'a', 'asha a'],
    [juma, 'b', 'juma b'],
    [asha, 'b', 'asha b'],
  ] as const) {
    expect(await isTrue(hasClaimed(viewer, keyOf(key), made))).toBe(true);
    expect(await selectMade(db, viewer, keyOf(key), NOW)).toEqual([{ id: made, body_digest: `digest of ${key}` }]);
  }
  expect(await isTrue(hasClaimed(juma, keyOf('a'), 'asha a'))).toBe(false);
  expect(await selectMade(db, juma, keyOf('a'), NOW)).toEqual([]);
});

test('only a key whose request has made nothing is free again', async () => {
  const [asha, juma] = [await newViewer(), await newViewer()];
  await claimKey(db, asha, keyOf('a'), 'asha a', NOW);
  await claimKey(db, asha, keyOf('b'), 'asha b', NOW);
  await claimKey(db, juma, keyOf('a'), 'juma a', NOW);
  await releaseKey(db, asha, keyOf('a'), 'asha a', sql`true`);
  await releaseKey(db, asha, keyOf('a'), 'of another request', sql`false`);
  expect(await keysOf(asha, juma)).toEqual(['asha a', 'asha b', 'juma a']);
  await releaseKey(db, asha, keyOf('a'), 'asha a', sql`false`);
  expect(await keysOf(asha, juma)).toEqual(['asha b', 'juma a']);
});

test('a request without a key claims none, and goes on', async () => {
  const viewer = await newViewer();
  await claimKey(db, viewer, null, 'made', NOW);
  expect(await keysOf(viewer)).toEqual([]);
  expect(await isTrue(hasClaimed(viewer, null, 'made'))).toBe(true);
});

test('a thousand rows are deleted at once, of those that are to go', async () => {
  const rowsAt = async (at: number) => {
    const [row] = await db.all<{ n: number }>(
      sql`select count(*) as n from whatsapp_incoming where received_at = ${at}`,
    );
    return row?.n;
  };
  await db.run(sql`
    insert into whatsapp_incoming (id, received_at)
    with recursive n(i) as (select 1 union all select i + 1 from n where i < 1003)
    select 'row ' || i, case when i = 1 then 2 else 1 end from n`);
  await deleteSome(db, whatsappIncoming, sql`received_at = 1`);
  expect([await rowsAt(1), await rowsAt(2)]).toEqual([2, 1]);
});

test.each([
  [0, MINUTE_MS],
  [1, 2 * MINUTE_MS],
  [5, 32 * MINUTE_MS],
  [10, 1024 * MINUTE_MS],
  [11, 1024 * MINUTE_MS],
])('after %i failures the next try is %i ms later', async (failures, delayMs) => {
  const [row] = await db.all<{ at: number }>(sql`
    select ${nextTry(NOW, 'failures')} as at from (select ${failures} as failures)`);
  expect(row).toEqual({ at: NOW + delayMs });
});
