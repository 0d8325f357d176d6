import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Db, Handle } from '#worker/db/client.ts';
import { queryRows } from '#worker/db/rows.ts';
import { type Allowance, countIf, hasRoom, tooManyRequests } from './allowance.ts';

/**
 * How many wrong guesses somebody has. When the first allowance is used up, the next one may still allow some. A wrong
 * guess is counted before it is answered, so that concurrent guesses cannot exceed the limit; right ones are not counted.
 */
export type Turns = readonly [Allowance, ...Allowance[]];

const waitRow = () => z.object({ until: z.nullable(z.number()) });

/** Condition: one more guess may be answered. */
export function hasTurn(turns: Turns, now: number): SQL {
  const rooms = turns.map((allowance) => hasRoom(allowance, now));
  return sql`(${sql.join(rooms, sql` or `)})`;
}

/** Statement: until when the next guess has to wait, in milliseconds, or null. */
export function readWait(db: Handle, turns: Turns, now: number) {
  const keys = sql.join(
    turns.map(({ key }) => sql`${key}`),
    sql`, `,
  );
  return queryRows(db, waitRow)`
    select iif(${hasTurn(turns, now)}, null, (
      select min(window_ends_at) from rate_counters where subject in (${keys}) and window_ends_at > ${now})) as until`;
}

/**
 * Statements: count a wrong guess, if the condition holds. The first one returns a row if the guess was counted. Each
 * depends on `changes()` of the previous one, so nothing may come between them.
 */
export function countWrong(db: Db, turns: Turns, condition: SQL, now: number) {
  const [first, ...rest] = turns;
  return [
    countIf(db, first, condition, now),
    ...rest.map((allowance, index) =>
      countIf(db, allowance, sql`changes() > 0 and not ${hasRoom(turns[index] ?? first, now)}`, now),
    ),
  ] as const;
}

/**
 * Counts a wrong guess before it is answered.
 * @throws AppError too_many_requests when concurrent guesses have used up the turns.
 */
export async function takeTurn(db: Db, turns: Turns, now: number): Promise<void> {
  const [[wait]] = await db.batch([readWait(db, turns, now), ...countWrong(db, turns, hasTurn(turns, now), now)]);
  assertTurn(wait, now);
}

/** Statement: resets the count after a right guess, if there was a turn left. */
export function forgetWrong(db: Handle, turns: Turns, now: number) {
  return db.run(sql`delete from rate_counters where subject = ${turns[0].key} and ${hasTurn(turns, now)}`);
}

/** @throws AppError too_many_requests while the next guess has to wait. */
export function assertTurn(wait: { until: number | null } | undefined, now: number): void {
  if (wait && wait.until !== null) throw tooManyRequests(wait.until, now);
}

/** Finds out why something was refused. @throws AppError too_many_requests for the first without a turn left. */
export async function assertTurns(db: Db, all: readonly Turns[], now: number): Promise<void> {
  for (const turns of all) assertTurn((await readWait(db, turns, now))[0], now);
}
