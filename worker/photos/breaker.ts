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

// Cloudflare charges for image transformations above a free share, so their count per day has a limit. At the limit,
// photos are switched off and the count restarts, so that a platform admin can switch photos on again. An upload
// reserves its transformations before it makes them. Reserved transformations make other uploads wait but do not switch
// photos off, because they may never be made, for example if the picture is broken.

/** The most image transformations that one upload may need (make-renditions.ts). */
export const WORK_MAX = 8;

/** The part of a day's image transformations that one person, or all unproven accounts of one network, may use. */
const SHARE = 1 / 4;

const RETRY_SECONDS = 5;

/** The counters to which an upload's image transformations are added. They restart each day at midnight in Tanzania. */
export type Work = {
  /** The transformations of all people, made or reserved. */
  all: Allowance;
  /** The transformations of all people, without reserved ones. */
  done: Allowance;
  /**
   * One counter for the person who uploads, and one for each network whose unproven accounts share a limit. Each counts
   * transformations, made or reserved.
   */
  shares: Allowance[];
};

/**
 * Returns the day's counters of image transformations.
 * @param sharers the person's allowance, and each network's allowance if the person's phone number is unproven. Only
 * the `key` of an allowance is used.
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

/** Condition: the counter has room for the image transformations of one more upload. */
function hasRoomForUpload({ key, max }: Allowance, now: number): SQL {
  return sql`${countSoFar(sql`${key}`, now)} + ${WORK_MAX} <= ${max}`;
}

/**
 * Statements: reserve the image transformations of an upload, if the condition holds and the counters have room. At the
 * day's limit, switch photos off. `reserved` returns rows if the transformations were reserved, `tripped` if photos
 * were switched off just now, and `off` if photos are off.
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
 * Throws the reason why no image transformations were reserved.
 * @throws AppError too_many_requests if one of the `shares` is used up, otherwise unavailable.
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

/** Counts the image transformations that an upload has made, and releases those that it reserved and did not make. */
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

/** Wraps the image service, so that its transformations are counted. Reading a picture's size is not counted. */
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
