import { eq, type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Db, Handle } from '#worker/db/client.ts';
import { deleteSome } from '#worker/db/delete-some.ts';
import { queryRows, type RowOf } from '#worker/db/rows.ts';
import { rateCounters } from '#worker/db/schema.ts';
import type { Config } from '#worker/env.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { fingerprint } from '#worker/identity/fingerprint.ts';
import { endOfDay } from './day.ts';
import { maxInForce } from './in-force.ts';
import { LIMITS, type Limit, type Rule } from './limits.ts';

/** How often one subject may do something under one limit. The key names the counter; the subject itself is not stored. */
export type Allowance = { key: string; max: number; windowMs: number };
const counterRow = () => z.object({ count: z.number(), windowEndsAt: z.number() });
type Counter = RowOf<typeof counterRow>;

/**
 * @param subject who or what is counted: an e-mail, a phone number, a network, a person's id.
 * @param max of a subject that is allowed more than others.
 */
export function allowanceOf(config: Config, limit: Limit, subject: string, max: number = LIMITS[limit].max): Allowance {
  const { windowSeconds, isAlwaysOn = false }: Rule = LIMITS[limit];
  return {
    key: `${limit}:${fingerprint(config.keys.limit, `rate-limit:${limit}`, subject)}`,
    max: isAlwaysOn ? max : maxInForce(config, max),
    windowMs: windowSeconds * 1000,
  };
}

/** What may happen at most `max` times until the day of `now` ends in Tanzania. @param key names the counter and the day. */
export function allowanceOfDay(config: Config, key: string, max: number, now: number): Allowance {
  return { key, max: maxInForce(config, max), windowMs: endOfDay(now) - now };
}

/**
 * Statement: counts one more event if the condition holds, for example that the previous statement wrote a row.
 * Returns the count so far in the window, or no row if nothing was counted.
 */
export function countIf(db: Db, { key, windowMs }: Allowance, condition: SQL, now: number) {
  return addCounts(db, sql`select ${key}, 1, ${now + windowMs} where ${condition}`, now);
}

/** Statement: counts one more event under each allowance, if the condition holds. */
export function countEachIf(db: Db, allowances: Allowance[], condition: SQL, now: number) {
  const counts = JSON.stringify(allowances.map(({ key, windowMs }) => [key, now + windowMs]));
  return addCounts(db, sql`select j.value ->> 0, 1, j.value ->> 1 from json_each(${counts}) j where ${condition}`, now);
}

/** Events that are rows: the `from … where …` that selects them, and each one's key. */
type EventRows = { from: SQL; key: SQL };

/** Statement: counts each event. */
export function countEach(
  db: Handle,
  { windowMs }: Pick<Allowance, 'windowMs'>,
  { from, key }: EventRows,
  now: number,
) {
  return addCounts(db, sql`select ${key}, count(*), ${now + windowMs} ${from} group by 1`, now);
}

function addCounts(db: Handle, counts: SQL, now: number) {
  return queryRows(db, counterRow)`${countRows(counts, now)} returning count, window_ends_at as windowEndsAt`;
}

/** The text of a statement. @param counts selects a key, how much to add, and the end of a window that starts now. */
export function countRows(counts: SQL, now: number): SQL {
  return sql`
    insert into rate_counters (subject, count, window_ends_at) ${counts}
    on conflict (subject) do update set
      count = iif(window_ends_at <= ${now}, 0, count) + excluded.count,
      window_ends_at = iif(window_ends_at <= ${now}, excluded.window_ends_at, window_ends_at)`;
}

/** Statement: counts one more event. */
export function countOne(db: Db, allowance: Allowance, now: number) {
  return countIf(db, allowance, sql`true`, now);
}

/** Statement: the count so far, without counting. */
export function readCount(db: Db, { key }: Allowance, now: number) {
  return queryRows(db, counterRow)`
    select count, window_ends_at as windowEndsAt from rate_counters where subject = ${key} and window_ends_at > ${now}`;
}

const keyedCounterRow = () => z.object({ key: z.string(), ...counterRow().shape });
type KeyedCounter = RowOf<typeof keyedCounterRow>;

/** Statement: as `readCount`, for several allowances. */
export function readCounts(db: Db, allowances: Allowance[], now: number) {
  return queryRows(db, keyedCounterRow)`
    select subject as key, count, window_ends_at as windowEndsAt from rate_counters
    where subject in (select value from json_each(${JSON.stringify(allowances.map(({ key }) => key))}))
      and window_ends_at > ${now}`;
}

/** Statement: resets the count, for example after a correct password. */
export function forgetCount(db: Handle, { key }: Allowance) {
  return db.delete(rateCounters).where(eq(rateCounters.subject, key));
}

/**
 * Condition: one more event is within the limit. As part of the write it holds for concurrent requests, too.
 * @param allowance its key is a value, or made from a column.
 */
export function hasRoom({ key, max }: { key: string | SQL; max: number }, now: number): SQL {
  return sql`${countSoFar(sql`${key}`, now)} < ${max}`;
}

/** Condition: one more event is within each limit, of which there is at least one. */
export function haveRoom(allowances: Allowance[], now: number): SQL {
  const rooms = allowances.map((allowance) => hasRoom(allowance, now));
  return sql`(${sql.join(rooms, sql` and `)})`;
}

/** Condition: the count, which includes the current event, is within the limit. */
export function isWithin({ key, max }: Allowance, now: number): SQL {
  return sql`${countSoFar(sql`${key}`, now)} <= ${max}`;
}

/** Condition: each count, which includes the current event, is within its limit. */
export function areWithin(allowances: readonly Allowance[], now: number): SQL {
  const conditions = allowances.map((allowance) => isWithin(allowance, now));
  return sql`(${sql.join(conditions, sql` and `)})`;
}

/** Expression. @param key an allowance's key: a value, or a column. */
export function countSoFar(key: SQL, now: number): SQL {
  return sql`coalesce((
    select r.count from rate_counters r where r.subject = ${key} and r.window_ends_at > ${now}), 0)`;
}

/** Statement: deletes counters whose window has ended. */
export function clearEndedWindows(db: Db, now: number) {
  return deleteSome(db, rateCounters, sql`window_ends_at <= ${now}`);
}

/** @throws AppError too_many_requests when one more event would exceed the limit. */
export function assertRoom(allowance: Allowance, counted: Counter | undefined, now: number): void {
  assertWithin(allowance, counted && { ...counted, count: counted.count + 1 }, now);
}

/** @throws AppError too_many_requests when one more event would exceed one of the limits. */
export function assertRooms(allowances: Allowance[], counted: KeyedCounter[], now: number): void {
  for (const allowance of allowances) {
    assertRoom(
      allowance,
      counted.find(({ key }) => key === allowance.key),
      now,
    );
  }
}

/**
 * @param counted the events so far, including the current one.
 * @throws AppError too_many_requests, with the seconds until the window ends.
 */
export function assertWithin({ max }: Allowance, counted: Counter | undefined, now: number): void {
  if (counted && counted.count > max) throw tooManyRequests(counted.windowEndsAt, now);
}

/** @param until when the next request may be allowed, in milliseconds. */
export function tooManyRequests(until: number, now: number): AppError {
  return new AppError('too_many_requests', { retryAfterSeconds: Math.max(1, Math.ceil((until - now) / 1000)) });
}
