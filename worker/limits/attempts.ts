import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { batch, type Db, type Handle } from '#worker/db/client.ts';
import { queryFirst, queryRows } from '#worker/db/statements.ts';
import type { Config } from '#worker/env.ts';
import {
  type Allowance,
  allowanceOf,
  allowancesOf,
  countRows,
  countSoFar,
  isOwnMachine,
  tooManyRequests,
} from './allowance.ts';
import { endOfDay } from './limits.ts';

/** A limit that an event, such as a wrong guess, counts for. */
export type Turn = Allowance & {
  /** A slower limit: once the first limit is used up, `pause` allows single events at longer intervals. */
  pause?: Allowance;
  /**
   * Only for limits on how many different values are used, such as the phone numbers that one IP address uses. `once`
   * is the key of the counter for the event's own value. Within the window, further events with the same value do not
   * count.
   */
  once?: string;
};

/**
 * All limits that an event counts for, such as the limits on a wrong guess. If one limit is used up, the event is
 * refused and counts for none of the limits: otherwise one used-up limit would also use up another. An event is counted
 * before its request is answered, so that concurrent events cannot exceed a limit.
 */
export type Turns = readonly Turn[];

const waitRow = () => z.object({ until: z.nullable(z.number()) });
const countedRow = () => z.object({ key: z.string() });

/** Returns a `from` clause with one row `t` per limit. The expression `of` is appended to each key. */
function rowsOf(turns: Turns, now: number, of = sql`''`): SQL {
  const rows = turns.map(({ key, max, windowMs, pause, once }) => ({
    key,
    max,
    ends: now + windowMs,
    pause: pause?.key,
    pauseMax: pause?.max,
    pauseEnds: pause && now + pause.windowMs,
    once,
  }));
  return sql`(
    select (value ->> 'key') || ${of} as key, value ->> 'max' as max, value ->> 'ends' as ends, value ->> 'pause' as pause,
      value ->> 'pauseMax' as pause_max, value ->> 'pauseEnds' as pause_ends, value ->> 'once' as once
    from json_each(${JSON.stringify(rows)})) t`;
}

/** Condition on a row of `rowsOf`: the limit is used up. */
function isUsedUp(now: number): SQL {
  const soFar = (column: string) => countSoFar(sql.raw(`t.${column}`), now);
  return sql`(${soFar('key')} >= t.max
    and (t.pause is null or ${soFar('pause')} >= t.pause_max) and (t.once is null or ${soFar('once')} = 0))`;
}

/** Condition: one more event is allowed. The expression `of` is appended to the key of each limit. */
export function hasTurn(turns: Turns, now: number, of?: SQL): SQL {
  return sql`not exists (select 1 from ${rowsOf(turns, now, of)} where ${isUsedUp(now)})`;
}

/** Statement: returns the time (Unix milliseconds) from which the next event is allowed; null if it is allowed now. */
export function readWait(db: Handle, turns: Turns, now: number) {
  return queryFirst(db, waitRow)`
    select max((
      select min(r.window_ends_at) from rate_counters r where r.subject in (t.key, t.pause) and r.window_ends_at > ${now})) as until
    from ${rowsOf(turns, now)} where ${isUsedUp(now)}`;
}

/**
 * Statement: counts an event under all limits, if the condition holds. Returns rows if it was counted.
 * The expression `of` is appended to the key of each limit.
 */
export function countEvent(db: Handle, turns: Turns, condition: SQL, now: number, of?: SQL) {
  const isNew = sql`(t.once is null or ${countSoFar(sql.raw('t.once'), now)} = 0)`;
  return queryRows(db, countedRow)`${countRows(
    sql`
      select n.key, 1, n.ends from (
        select t.key, t.ends from ${rowsOf(turns, now, of)} where ${isNew}
        union all
        select t.once, t.ends from ${rowsOf(turns, now, of)} where t.once is not null and ${isNew}
        union all
        select t.pause, t.pause_ends from ${rowsOf(turns, now, of)}
        where t.pause is not null and ${countSoFar(sql.raw('t.key'), now)} + 1 >= t.max) n
      where ${condition}`,
    now,
  )} returning subject as key`;
}

/** Statements: count an event if no limit is used up. Otherwise `wait` returns the time of the next allowed event. */
export function takeTurnIfLeft(db: Handle, turns: Turns, now: number) {
  return { wait: readWait(db, turns, now), counted: countEvent(db, turns, hasTurn(turns, now), now) };
}

/** Counts an event before its request is answered. @throws AppError too_many_requests if a limit is used up. */
export async function takeTurn(db: Db, turns: Turns, now: number): Promise<void> {
  const { wait } = await batch(db, takeTurnIfLeft(db, turns, now));
  assertTurn(wait, now);
}

/** Statement: resets the counts, for example after a right guess, if the condition holds. */
export function forgetTurns(db: Handle, turns: Turns, condition: SQL = sql`true`) {
  const keys = turns.flatMap(({ key, pause }) => (pause ? [key, pause.key] : [key]));
  return db.run(sql`
    delete from rate_counters
    where subject in (select value from json_each(${JSON.stringify(keys)})) and ${condition}`);
}

/** @throws AppError too_many_requests if the next event still has to wait. */
export function assertTurn(wait: { until: number | null } | undefined, now: number): void {
  if (wait && wait.until !== null) throw tooManyRequests(wait.until, now);
}

/** Checks whether a limit caused the refusal of an event. @throws AppError too_many_requests if a limit is used up. */
export async function assertTurns(db: Db, turns: Turns, now: number): Promise<void> {
  assertTurn(await readWait(db, turns, now), now);
}

/** Limits how many codes by WhatsApp an IP address may request, and for how many phone numbers. */
export function codesFromAddress(config: Config, address: string, number: string, now: number): Turns {
  return [...allowancesOf(config, 'code_address', address), ...recipientsOfAddress(config, address, number, now)];
}

/**
 * Limits how many codes a phone number gets by WhatsApp.
 * @param device the id of a known device of the number's account (http/device-cookies.ts). Each known device has its
 * own limit, which strangers cannot use up.
 */
export function codesToNumber(config: Config, number: string, device?: string): Turns {
  return [allowanceOf(config, 'code_number', device === undefined ? number : `${number}\0${device}`)];
}

/**
 * Limits the number of different phone numbers for which an IP address may request codes by WhatsApp. Further codes to
 * the same number do not count.
 */
export function recipientsOfAddress(config: Config, address: string, number: string, now: number): Turns {
  if (isOwnMachine(config, address)) return [];
  const ofNumber = allowancesOf(config, 'code_recipients_address', address, number);
  return allowancesOf(config, 'code_recipients_address', address).map((allowance, index) => ({
    ...allowance,
    windowMs: endOfDay(now) - now,
    once: ofNumber[index]?.key,
  }));
}
