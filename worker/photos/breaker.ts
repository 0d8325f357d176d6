import { eq, type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { isSwitchedOn, switchOff } from '#worker/admin/switches.ts';
import { batch, type Db } from '#worker/db/client.ts';
import { firstOf, flag, idRow, queryFirst, queryRows } from '#worker/db/statements.ts';
import { switchedOff } from '#worker/db/tables/operating.ts';
import type { Config } from '#worker/env.ts';
import { AppError } from '#worker/errors/app-error.ts';
import {
  type Allowance,
  allowanceOfDay,
  countRows,
  countSoFar,
  forgetCounts,
  takeBack,
  tooManyRequests,
} from '#worker/limits/allowance.ts';
import { dayOf, endOfDay } from '#worker/limits/limits.ts';
import { logAction } from '#worker/moderation/moderation-log.ts';

// Image transformations above a free share cost money, so their count per day has a limit. When it is reached, photos
// are switched off. If a platform admin switches them on again, the same count is allowed again. An upload reserves its
// transformations first. Reserved ones make other uploads wait but do not switch photos off, because they may never
// happen, for example if the picture is broken.

/** The most transformations that one upload may need (make-renditions.ts). */
export const WORK_MAX = 8;

/** The part of a day's work that one person, or the unproven accounts of one network, may use. */
const SHARE = 1 / 4;

const RETRY_SECONDS = 5;

/** The counters of transformations to which an upload's work is added. They begin again each day in Tanzania. */
export type Work = {
  /** Done or reserved for all people. */
  all: Allowance;
  /** Done for all people. */
  done: Allowance;
  /** Done or reserved for the person, and for each network whose accounts share a limit (`sharers`). */
  shares: Allowance[];
};

/**
 * Returns the counters of the day.
 * @param sharers allowances of the person, and of networks if the phone number is unproven. Only their keys are used.
 */
export function workOfDay(config: Config, sharers: Allowance[], now: number): Work {
  const most = config.photos.transformationsADay;
  const day = dayOf(now);
  const ofDay = (key: string, max: number) => allowanceOfDay(config, `${key}:${day}`, max, now);
  return {
    all: ofDay('photo_work', most),
    done: ofDay('photo_work_done', most),
    shares: sharers.map(({ key }) => ofDay(`photo_work:${key}`, Math.max(WORK_MAX, Math.floor(most * SHARE)))),
  };
}

/** Condition: the work of one more upload is within the maximum. */
function hasRoomForUpload({ key, max }: Allowance, now: number): SQL {
  return sql`${countSoFar(sql`${key}`, now)} + ${WORK_MAX} <= ${max}`;
}

/**
 * Statements: reserve the transformations of an upload, if the condition holds and there is room, and switch photos off
 * if the day's limit is reached. `reserved` returns rows if they were reserved, `tripped` if photos were switched off
 * now, and `off` if photos are off.
 */
export function reserveWork(db: Db, work: Work, condition: SQL, now: number) {
  const counters = [work.all, ...work.shares];
  const rooms = counters.map((counter) => hasRoomForUpload(counter, now));
  return {
    reserved: queryRows(db, idRow)`${countRows(
      sql`
        select j.value, ${WORK_MAX}, ${endOfDay(now)} from json_each(${keysOf(counters)}) j
        where ${condition} and ${isSwitchedOn('photos')} and ${sql.join(rooms, sql` and `)}`,
      now,
    )} returning subject as id`,
    switchOff: switchOff(db, 'photos', sql`not ${hasRoomForUpload(work.done, now)}`, now),
    logSwitchOff: logAction(
      db,
      { actor: null, action: 'switch_off', targetType: 'switch', targetId: 'photos', reason: null },
      now,
      sql`changes() > 0`,
    ),
    tripped: forgetCounts(db, [work.all, work.done], sql`changes() > 0`),
    off: firstOf(db.select({ name: switchedOff.name }).from(switchedOff).where(eq(switchedOff.name, 'photos'))),
  };
}

function keysOf(allowances: Allowance[]): string {
  return JSON.stringify(allowances.map(({ key }) => key));
}

/**
 * Finds out why no work was reserved.
 * @throws AppError too_many_requests if a share (`shares`) is used up, otherwise unavailable.
 */
export async function refuseWork(db: Db, { shares }: Work, now: number): Promise<never> {
  const row = await queryFirst(db, usedRow)`
    select not (${sql.join(
      shares.map((share) => hasRoomForUpload(share, now)),
      sql` and `,
    )}) as is_used`;
  if (row?.is_used === 1) throw tooManyRequests(endOfDay(now), now);
  throw new AppError('unavailable', { retryAfterSeconds: RETRY_SECONDS });
}

const usedRow = () => z.object({ is_used: flag() });

/** Releases reserved work that was not needed, and counts the work that was done. */
export async function recordWork(db: Db, work: Work, { reserved, done }: { reserved: number; done: number }) {
  const now = Date.now();
  await batch(db, {
    takeBack: takeBack(db, sql`select value from json_each(${keysOf([work.all, ...work.shares])})`, reserved - done),
    countRows: db.run(
      countRows(sql`select ${work.done.key}, ${done}, ${now + work.done.windowMs} where ${done} > 0`, now),
    ),
  });
}

type Service = Pick<ImagesBinding, 'info' | 'input'>;

/** Wraps the image service to count transformations. Reading a picture's size does not count. */
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
