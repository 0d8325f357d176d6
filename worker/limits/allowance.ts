import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Db, Handle } from '#worker/db/client.ts';
import { deleteSome, idRow, queryFirst, queryRows, type RowOf } from '#worker/db/statements.ts';
import { rateCounters } from '#worker/db/tables/operating.ts';
import type { Config } from '#worker/env.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { fingerprint } from '#worker/identity/digests.ts';
import { endOfDay, LIMITS, type Limit, maxInForce, type Rule } from './limits.ts';

/**
 * How often one subject may do something under one limit. `key` names the counter. It contains a digest of the subject,
 * so that the database stores no e-mail address or phone number.
 */
export type Allowance = { key: string; max: number; windowMs: number };
const counterRow = () => z.object({ count: z.number(), windowEndsAt: z.number() });
type Counter = RowOf<typeof counterRow>;

/**
 * @param subject who or what is counted: an e-mail address, a phone number, a network, a person's id.
 * @param max how many events are allowed, if the subject has another maximum than the limit's own.
 */
export function allowanceOf(config: Config, limit: Limit, subject: string, max: number = LIMITS[limit].max): Allowance {
  const { windowSeconds, isAlwaysOn = false }: Rule = LIMITS[limit];
  return {
    key: `${limit}:${fingerprint(config.keys.limit, `rate-limit:${limit}`, subject)}`,
    max: isAlwaysOn ? max : maxInForce(config, max),
    windowMs: windowSeconds * 1000,
  };
}

/** Allows `max` events until the day of `now` ends in Tanzania. @param key the counter's name, with the day. */
export function allowanceOfDay(config: Config, key: string, max: number, now: number): Allowance {
  return { key, max: maxInForce(config, max), windowMs: endOfDay(now) - now };
}

/**
 * Statement: counts one more event if the condition holds, for example that the previous statement wrote a row. Returns
 * the count so far in the window, or no row if nothing was counted.
 * @param allowance `key` may be an SQL expression.
 */
export function countIf(
  db: Db,
  { key, windowMs }: { key: string | SQL; windowMs: number },
  condition: SQL,
  now: number,
) {
  return queryFirst(db, counterRow)`
    ${countRows(sql`select ${key}, 1, ${now + windowMs} where ${condition}`, now)} ${RETURNING_COUNTS}`;
}

/** Statement: counts one more event under each allowance, if the condition holds. */
export function countEachIf(db: Db, allowances: Allowance[], condition: SQL, now: number) {
  const counts = JSON.stringify(allowances.map(({ key, windowMs }) => [key, now + windowMs]));
  const rows = sql`select j.value ->> 0, 1, j.value ->> 1 from json_each(${counts}) j where ${condition}`;
  return queryRows(db, counterRow)`${countRows(rows, now)} ${RETURNING_COUNTS}`;
}

/**
 * The rows of a table that are counted as events: `from` is a `from … where …` clause, `key` the counter of each row.
 */
type EventRows = { from: SQL; key: SQL };

export function countEach(
  db: Handle,
  { windowMs }: Pick<Allowance, 'windowMs'>,
  { from, key }: EventRows,
  now: number,
) {
  const rows = sql`select ${key}, count(*), ${now + windowMs} ${from} group by 1`;
  return queryRows(db, counterRow)`${countRows(rows, now)} ${RETURNING_COUNTS}`;
}

const RETURNING_COUNTS = sql`returning count, window_ends_at as windowEndsAt`;

/**
 * SQL of a statement that adds to counters.
 * @param counts a select of a counter's key, the amount to add, and the end of a window that begins now.
 */
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

/** Statement: returns the count so far and counts no event. */
export function readCount(db: Db, { key }: Allowance, now: number) {
  return queryFirst(db, counterRow)`
    select count, window_ends_at as windowEndsAt from rate_counters where subject = ${key} and window_ends_at > ${now}`;
}

const keyedCounterRow = () => z.object({ key: z.string(), ...counterRow().shape });
type KeyedCounter = RowOf<typeof keyedCounterRow>;

export function readCounts(db: Db, allowances: Allowance[], now: number) {
  return queryRows(db, keyedCounterRow)`
    select subject as key, count, window_ends_at as windowEndsAt from rate_counters
    where subject in (select value from json_each(${JSON.stringify(allowances.map(({ key }) => key))}))
      and window_ends_at > ${now}`;
}

/** Statement: resets counts if the condition holds. Returns the keys that existed. */
export function forgetCounts(db: Db, allowances: readonly Allowance[], condition: SQL) {
  return queryRows(db, idRow)`
    delete from rate_counters
    where ${condition} and subject in (select value from json_each(${JSON.stringify(allowances.map(({ key }) => key))}))
    returning subject as id`;
}

/**
 * Statement: subtracts an amount from counters, for example for events that did not happen.
 * @param keys a select of the counters' keys.
 */
export function takeBack(db: Handle, keys: SQL, amount: number) {
  return db.run(sql`update rate_counters set count = max(0, count - ${amount}) where subject in (${keys})`);
}

/**
 * Condition: one more event is within the limit. Used inside the statement that writes, so that concurrent requests
 * cannot exceed the limit.
 * @param allowance `key` may be an SQL expression.
 */
export function hasRoom({ key, max }: { key: string | SQL; max: number }, now: number): SQL {
  return sql`${countSoFar(sql`${key}`, now)} < ${max}`;
}

/** Condition: one more event is within each of the limits. `allowances` may not be empty. */
export function haveRoom(allowances: Allowance[], now: number): SQL {
  const rooms = allowances.map((allowance) => hasRoom(allowance, now));
  return sql`(${sql.join(rooms, sql` and `)})`;
}

/** Condition: the count, which includes the current event, is within the limit. */
export function isWithin({ key, max }: Allowance, now: number): SQL {
  return sql`${countSoFar(sql`${key}`, now)} <= ${max}`;
}

/** Expression: the count so far. @param key an allowance's key: a value, or a column. */
export function countSoFar(key: SQL, now: number): SQL {
  return sql`coalesce((
    select r.count from rate_counters r where r.subject = ${key} and r.window_ends_at > ${now}), 0)`;
}

export function clearEndedWindows(db: Db, now: number) {
  return deleteSome(db, rateCounters, sql`window_ends_at <= ${now}`);
}

/** @throws AppError too_many_requests if one more event would exceed the limit. */
export function assertRoom(allowance: Allowance, counted: Counter | undefined, now: number): void {
  assertWithin(allowance, counted && { ...counted, count: counted.count + 1 }, now);
}

/** @throws AppError too_many_requests if one more event would exceed any of the limits. */
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

/** @param until the Unix time in milliseconds from which the next request may be allowed. */
export function tooManyRequests(until: number, now: number): AppError {
  return new AppError('too_many_requests', { retryAfterSeconds: Math.max(1, Math.ceil((until - now) / 1000)) });
}

const GROUPS = 8;
const BITS_OF_GROUP = 16;
/** The IPv6 prefixes that providers assign to one customer: at least a /64, often a /56, to companies a /48. */
const PREFIXES = [64, 56, 48] as const;
/** The limits of a /56 and of a /48, as multiples of the limit of a /64. A rule can set other limits with `wider`. */
const WIDER = [1.5, 2] as const;

/**
 * Returns the networks that an IP address counts for, the narrowest first. An IPv6 address counts for its /64, /56 and
 * /48, because a customer with a /48 can choose among 65,536 networks. An IPv4 address counts for no wider network:
 * neighbouring addresses belong to other people, and thousands of a mobile provider's customers share one address.
 */
export function networksOf(address: string): [string, ...string[]] {
  if (!address.includes(':') || address.includes('.')) return [address];
  const [head = [], tail = []] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array<string>(Math.max(0, GROUPS - head.length - tail.length)).fill('0');
  const groups = [...head, ...zeros, ...tail].map((group) => Number.parseInt(group, 16));
  const [first, ...rest] = PREFIXES;
  return [toPrefix(groups, first), ...rest.map((bits) => toPrefix(groups, bits))];
}

function toPrefix(groups: number[], bits: number): string {
  const kept = groups.slice(0, Math.ceil(bits / BITS_OF_GROUP));
  const cut = BITS_OF_GROUP * kept.length - bits;
  const masked = kept.map((group, index) => (index === kept.length - 1 ? (group >> cut) << cut : group));
  return `${masked.map((group) => group.toString(16)).join(':')}::/${bits}`;
}

/** Returns the limits of the networks that contain an IP address. The first is the narrowest network's limit, `max`. */
export function maximaOf({ max, wider }: Pick<Rule, 'max' | 'wider'>): readonly [number, number, number] {
  return [max, ...(wider ?? ([Math.floor(max * WIDER[0]), max * WIDER[1]] as const))];
}

/**
 * Returns the allowance of each network that contains the IP address, under one limit. With `of`, such as an account's
 * id, the requests from the IP address are counted separately for each id.
 */
export function allowancesOf(config: Config, limit: Limit, address: string, of?: string): [Allowance, ...Allowance[]] {
  const [narrowest, ...wider] = networksOf(address);
  const [max, ...widerMaxima] = maximaOf(LIMITS[limit]);
  const toAllowance = (network: string, most: number | undefined) =>
    allowanceOf(config, limit, of === undefined ? network : `${of}\0${network}`, most);
  return [toAllowance(narrowest, max), ...wider.map((network, index) => toAllowance(network, widerMaxima[index]))];
}

const THIS_MACHINE = ['127.0.0.1', '::1', 'unknown'];

/**
 * Whether the client is this machine itself, and the WhatsApp transport is `local`. All test users share this
 * machine's IP address and cause no costs, so limits on a network's daily costs do not apply.
 */
export function isOwnMachine({ whatsapp }: Config, address: string): boolean {
  return whatsapp.transport === 'local' && THIS_MACHINE.includes(address);
}
