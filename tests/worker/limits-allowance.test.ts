import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { openDb } from '#worker/db/client.ts';
import { readConfig } from '#worker/env.ts';
import type { AppError } from '#worker/errors/app-error.ts';
import {
  type Allowance,
  allowanceOf,
  areWithin,
  assertRoom,
  assertRooms,
  assertWithin,
  clearEndedWindows,
  countEach,
  countEachIf,
  countIf,
  countOne,
  forgetCount,
  hasRoom,
  haveRoom,
  isWithin,
  readCount,
  readCounts,
} from '#worker/limits/allowance.ts';
import { bar, barOf, clearEndedBars, refuseBarredNumber, selectBars } from '#worker/limits/bars.ts';
import { assertTurns, countEvent, forgetTurns, hasTurn, readWait, type Turn, takeTurn } from '#worker/limits/turns.ts';

const db = openDb(env);
const config = readConfig(env);
const NOW = 1_800_000_000_000;
const WINDOW_MS = 60_000;

let subjects = 0;
const newAllowance = (max: number, windowMs = WINDOW_MS): Allowance => ({ key: `mtu:${++subjects}`, max, windowMs });

async function count(allowance: Allowance, now: number, times = 1) {
  let counted: { count: number; windowEndsAt: number } | undefined;
  for (let time = 0; time < times; time++) [[counted]] = await db.batch([countOne(db, allowance, now)]);
  return counted;
}

async function holds(condition: ReturnType<typeof hasRoom>): Promise<boolean> {
  const [row] = await db.all<{ n: number }>(sql`select ${condition} as n`);
  return row?.n === 1;
}

function refusalOf(act: () => void): number | null {
  try {
    act();
    return null;
  } catch (error) {
    expect(error).toMatchObject({ code: 'too_many_requests' });
    return (error as AppError).retryAfterSeconds;
  }
}

test('a count goes on to the end of its window, and begins anew at that moment', async () => {
  const allowance = newAllowance(5);
  expect(await count(allowance, NOW)).toEqual({ count: 1, windowEndsAt: NOW + WINDOW_MS });
  const last = NOW + WINDOW_MS - 1;
  expect(await count(allowance, last)).toEqual({ count: 2, windowEndsAt: NOW + WINDOW_MS });
  expect(await readCount(db, allowance, last)).toEqual([{ count: 2, windowEndsAt: NOW + WINDOW_MS }]);
  const next = NOW + WINDOW_MS;
  expect(await readCount(db, allowance, next)).toEqual([]);
  expect(await count(allowance, next)).toEqual({ count: 1, windowEndsAt: next + WINDOW_MS });
  await forgetCount(db, allowance);
  expect(await readCount(db, allowance, next)).toEqual([]);
});

test('there is room up to the limit, and what has been counted is within it', async () => {
  const [allowance, other] = [newAllowance(2), newAllowance(1)];
  const rooms = async (now = NOW) => [await holds(hasRoom(allowance, now)), await holds(isWithin(allowance, now))];
  expect(await rooms()).toEqual([true, true]);
  await count(allowance, NOW);
  expect(await rooms()).toEqual([true, true]);
  await count(allowance, NOW);
  expect(await rooms()).toEqual([false, true]);
  await count(allowance, NOW);
  expect(await rooms()).toEqual([false, false]);
  expect(await rooms(NOW + WINDOW_MS - 1)).toEqual([false, false]);
  expect(await rooms(NOW + WINDOW_MS)).toEqual([true, true]);
  expect(await holds(haveRoom([other], NOW))).toBe(true);
  expect(await holds(haveRoom([other, allowance], NOW))).toBe(false);
  expect(await holds(haveRoom([allowance, other], NOW))).toBe(false);
  expect(await holds(areWithin([other], NOW))).toBe(true);
  expect(await holds(areWithin([other, allowance], NOW))).toBe(false);
  expect(await holds(areWithin([allowance, other], NOW))).toBe(false);
});

test('nothing is counted unless it happened, and several are counted each for itself', async () => {
  const [first, second] = [newAllowance(2), newAllowance(2, 2 * WINDOW_MS)];
  expect(await countIf(db, first, sql`false`, NOW)).toEqual([]);
  expect(await countEachIf(db, [first, second], sql`false`, NOW)).toEqual([]);
  await countEachIf(db, [first, second], sql`true`, NOW);
  await countEachIf(db, [second], sql`true`, NOW);
  await count(newAllowance(1), NOW);
  const counts = await readCounts(db, [first, second], NOW);
  expect(counts.toSorted((left, right) => left.count - right.count)).toEqual([
    { key: first.key, count: 1, windowEndsAt: NOW + WINDOW_MS },
    { key: second.key, count: 2, windowEndsAt: NOW + 2 * WINDOW_MS },
  ]);
  expect(await readCounts(db, [first, second], NOW + WINDOW_MS)).toMatchObject([{ key: second.key }]);
  const events = sql`from (select 1 as n union all select 2 union all select 2)`;
  const key = sql`'tukio:' || n`;
  const each = await countEach(db, first, { from: events, key }, NOW);
  expect(each.map((row) => row.count).sort()).toEqual([1, 2]);
});

test('whoever is beyond the limit is told how many whole seconds to wait, and one at least', () => {
  const allowance = newAllowance(2);
  const counted = (events: number, leftMs: number) => ({ count: events, windowEndsAt: NOW + leftMs });
  expect(refusalOf(() => assertWithin(allowance, undefined, NOW))).toBeNull();
  expect(refusalOf(() => assertWithin(allowance, counted(2, 1), NOW))).toBeNull();
  expect(refusalOf(() => assertWithin(allowance, counted(3, 1_001), NOW))).toBe(2);
  expect(refusalOf(() => assertWithin(allowance, counted(3, 1_000), NOW))).toBe(1);
  expect(refusalOf(() => assertWithin(allowance, counted(3, -1), NOW))).toBe(1);
  expect(refusalOf(() => assertRoom(allowance, undefined, NOW))).toBeNull();
  expect(refusalOf(() => assertRoom(allowance, counted(1, 1), NOW))).toBeNull();
  expect(refusalOf(() => assertRoom(allowance, counted(2, 7_000), NOW))).toBe(7);
  const full = { key: allowance.key, ...counted(2, 9_000) };
  expect(refusalOf(() => assertRooms([newAllowance(1), allowance], [full], NOW))).toBe(9);
  expect(refusalOf(() => assertRooms([newAllowance(1)], [full], NOW))).toBeNull();
});

test('each subject and each limit is counted for itself, and whom it is about cannot be read from it', () => {
  const keys = [
    allowanceOf(config, 'report', 'Asha').key,
    allowanceOf(config, 'report', 'Juma').key,
    allowanceOf(config, 'claim', 'Asha').key,
  ];
  expect(new Set(keys.map((key) => key.split(':')[1])).size).toBe(3);
  expect(keys.join()).not.toContain('Asha');
  expect(keys[0]).toMatch(/^report:/);
});

test('counts whose window has ended are swept away, others not', async () => {
  const [ended, going] = [newAllowance(1), newAllowance(1, WINDOW_MS + 1)];
  for (const allowance of [ended, going]) await count(allowance, NOW);
  await clearEndedWindows(db, NOW + WINDOW_MS);
  expect(await readCounts(db, [ended, going], NOW)).toMatchObject([{ key: going.key }]);
});

const guess = (turns: Turn[], now: number) => refusalAfter(takeTurn(db, turns, now));

test('an event that uses up an allowance starts its pause, and the wait is for what ends first', async () => {
  const pause = newAllowance(1, WINDOW_MS);
  const turns = [{ ...newAllowance(2, 10 * WINDOW_MS), pause }];
  expect(await guess(turns, NOW)).toBeNull();
  expect(await readCounts(db, [pause], NOW)).toEqual([]);
  expect([await guess(turns, NOW), await guess(turns, NOW)]).toEqual([null, 60]);
  expect(await readCounts(db, [...turns, pause], NOW)).toHaveLength(2);
  expect(await refusalAfter(assertTurns(db, [newAllowance(1), ...turns], NOW))).toBe(60);
  expect(await readWait(db, turns, NOW)).toEqual([{ until: NOW + WINDOW_MS }]);
  const later = NOW + WINDOW_MS;
  expect(await readWait(db, turns, later)).toEqual([{ until: null }]);
  expect([await guess(turns, later), await guess(turns, later)]).toEqual([null, 60]);
});

test('an event that one allowance refuses is counted for none, and waits for the one that ends last', async () => {
  const [narrow, wide, full] = [newAllowance(1), newAllowance(5), newAllowance(1, 2 * WINDOW_MS)];
  await count(full, NOW);
  expect(await guess([narrow, wide, full], NOW)).toBe(120);
  expect(await readCounts(db, [narrow, wide], NOW)).toEqual([]);
  expect(await guess([narrow, wide], NOW)).toBeNull();
  expect(await guess([narrow, wide, full], NOW)).toBe(120);
  expect(await guess([narrow, wide], NOW)).toBe(60);
  expect(await readCounts(db, [wide], NOW)).toMatchObject([{ count: 1 }]);
});

test('an allowance of different things counts each thing once, and goes on allowing those it has counted', async () => {
  const allowance = newAllowance(2);
  const askFor = (thing: string) => guess([{ ...allowance, once: `${allowance.key}:${thing}` }], NOW);
  for (const thing of ['simu', 'simu', 'begi']) expect(await askFor(thing)).toBeNull();
  expect(await readCounts(db, [allowance], NOW)).toMatchObject([{ count: 2 }]);
  expect([await askFor('ufunguo'), await askFor('simu')]).toEqual([60, null]);
});

async function refusalAfter(act: Promise<void>): Promise<number | null> {
  const failure = await act.then(
    () => null,
    (error: unknown) => error,
  );
  if (failure === null) return null;
  expect(failure).toMatchObject({ code: 'too_many_requests' });
  return (failure as AppError).retryAfterSeconds;
}

test('an event that is not counted costs no turn, and a right guess gives turns back while there is one', async () => {
  const turns = [{ ...newAllowance(2), pause: newAllowance(1) }];
  const forget = () => forgetTurns(db, turns, hasTurn(turns, NOW));
  await db.batch([countEvent(db, turns, sql`false`, NOW)]);
  expect(await readCounts(db, turns, NOW)).toEqual([]);
  await takeTurn(db, turns, NOW);
  await forget();
  expect(await readCounts(db, turns, NOW)).toEqual([]);
  for (let time = 0; time < 2; time++) await takeTurn(db, turns, NOW);
  expect(await holds(hasTurn(turns, NOW))).toBe(false);
  await forget();
  expect(await readCounts(db, turns, NOW)).toMatchObject([{ count: 2 }]);
});

test('a bar holds up to its end, the later of two, for that number alone', async () => {
  const [barred, other] = ['+255700111222', '+255700111333'];
  const key = barOf(config, 'number', barred);
  expect(new Set([key, barOf(config, 'email', barred), barOf(config, 'number', other)]).size).toBe(3);
  await bar(db, [key], NOW + 2);
  await bar(db, [key], NOW + 1);
  const refusal = { code: 'suspended' };
  await expect(refuseBarredNumber(db, config, barred, NOW + 1)).rejects.toMatchObject(refusal);
  await expect(refuseBarredNumber(db, config, barred, NOW + 2)).resolves.toBeUndefined();
  await expect(refuseBarredNumber(db, config, other, NOW)).resolves.toBeUndefined();
  await clearEndedBars(db, NOW + 1);
  expect(await selectBars(db, [key], NOW)).toEqual([{ ends_at: NOW + 2 }]);
  await clearEndedBars(db, NOW + 2);
  expect(await selectBars(db, [key], NOW)).toEqual([]);
});
