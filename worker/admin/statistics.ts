import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { type AdminDay, adminDaySchema } from '#contract/admin.ts';
import { DAY_MS } from '#contract/durations.ts';
import { WEEK_COUNT_MAX } from '#contract/limits.ts';
import type { Db } from '#worker/db/client.ts';
import { queryRows, readAsPlatformAdmin } from '#worker/db/statements.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { dayOf, nameDay, startOfDay } from '#worker/limits/limits.ts';

const DAYS = 7;

const dayRow = () => z.object({ ...z.omit(adminDaySchema, { day: true }).shape, starts_at: z.number() });

/** Counts what happened on each of the last seven days in Tanzania, today first. */
export async function readWeek(db: Db, viewer: Viewer, now: number): Promise<AdminDay[]> {
  const today = dayOf(now);
  const starts = JSON.stringify(Array.from({ length: DAYS }, (_, index) => startOfDay(today - index)));
  const { days } = await readAsPlatformAdmin(db, viewer, {
    days: queryRows(db, dayRow)`
      select d.value as starts_at,
        ${count(sql`posts`, sql`created_at`)} as posts,
        ${count(sql`notices`, sql`created_at`, sql`and type = 'matching_post'`)} as matches_told,
        ${count(sql`match_answers`, sql`answered_at`, sql`and answer = 'dismissed'`)}
          + ${count(sql`match_pairs`, sql`dismissed_at`)} as not_this_one,
        ${count(sql`posts`, sql`found_at`)} as returned,
        ${count(sql`post_reports`, sql`created_at`)} as reports
      from json_each(${starts}) d order by d.value desc`,
  });
  return days.map(({ starts_at, ...numbers }) => ({ day: nameDay(dayOf(starts_at)), ...numbers }));
}

/** SQL expression: how many rows of `table` belong to the day `d`, up to a maximum. `time` is an indexed column. */
function count(table: SQL, time: SQL, which = sql``): SQL {
  return sql`(select count(*) from (
    select 1 from ${table} where ${time} >= d.value and ${time} < d.value + ${DAY_MS} ${which} limit ${WEEK_COUNT_MAX}))`;
}
