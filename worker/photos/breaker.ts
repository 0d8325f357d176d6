import { type SQL, sql } from 'drizzle-orm';
import type { Db, Statement } from '#worker/db/client.ts';
import { queryRows } from '#worker/db/rows.ts';
import type { Config } from '#worker/env.ts';
import { type Allowance, allowanceOfDay, countRows, isWithin } from '#worker/limits/allowance.ts';
import { dayOf, endOfDay } from '#worker/limits/day.ts';
import { isSwitchedOn, switchedOffRow } from '#worker/switches/index.ts';

// The image service costs money beyond its free share, so a day has a maximum of its work. Beyond it photos are switched
// off, until a platform admin switches them on again, for as much work again.

/** The most transformations that one upload may need (make-renditions.ts). */
export const WORK_MAX = 8;

/** A day's work, in transformations. */
export function workOfDay(config: Config, now: number): Allowance {
  return allowanceOfDay(config, `photo_work:${dayOf(now)}`, config.photos.transformationsADay, now);
}

/** Statement: logs that photos were switched off, if the condition holds. */
export type LogSwitchOff = (condition: SQL) => Statement;

/**
 * Statements: reserve the work of an upload, if the condition holds, and switch photos off if that is more than the day
 * allows. The fourth returns a row if it did, and the last one if photos are off.
 */
export function reserveWork(db: Db, work: Allowance, logSwitchOff: LogSwitchOff, condition: SQL, now: number) {
  return [
    db.run(
      countRows(
        sql`select ${work.key}, ${WORK_MAX}, ${endOfDay(now)} where ${condition} and ${isSwitchedOn('photos')}`,
        now,
      ),
    ),
    db.run(sql`
      insert into switched_off (name, since) select 'photos', ${now} where changes() > 0 and not ${isWithin(work, now)}
      on conflict do nothing`),
    logSwitchOff(sql`changes() > 0`),
    queryRows(
      db,
      switchedOffRow,
    )`delete from rate_counters where changes() > 0 and subject = ${work.key} returning 'photos' as name`,
    queryRows(db, switchedOffRow)`select name from switched_off where name = 'photos'`,
  ] as const;
}

/** Gives back reserved work that was not needed. */
export async function giveBackWork(db: Db, { key }: Allowance, surplus: number): Promise<void> {
  await db.run(sql`update rate_counters set count = max(0, count - ${surplus}) where subject = ${key}`);
}

type Service = Pick<ImagesBinding, 'info' | 'input'>;

/** The image service, and how many transformations it was asked for. Reading a picture's size is none. */
export function countWork(images: Service): { images: Service; work: { done: number } } {
  const work = { done: 0 };
  const counted: Service = {
    info: (...picture) => images.info(...picture),
    input: (...picture) => {
      work.done++;
      return images.input(...picture);
    },
  };
  return { images: counted, work };
}
