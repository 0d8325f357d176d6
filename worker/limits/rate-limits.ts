import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#worker/db/client.ts';
import { rateCounters } from '#worker/db/schema.ts';
import type { Config } from '#worker/env.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { fingerprint } from '#worker/identity/fingerprint.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * Every limit on abuse, in one place. `max` happenings a window of `windowSeconds`, counted in D1 because the
 * platform's own limiter counts per location and loosely. Addresses are shared by whole schools and by a mobile
 * network's customers, so their ceilings only stop floods.
 */
export const RATE_LIMITS = {
  sign_in_account: { max: 10, windowSeconds: 15 * MINUTE },
  sign_in_address: { max: 600, windowSeconds: 15 * MINUTE },
  registration_address: { max: 300, windowSeconds: HOUR },
  post: { max: 30, windowSeconds: DAY },
  post_update: { max: 60, windowSeconds: DAY },
  community: { max: 10, windowSeconds: DAY },
  wrong_access_code: { max: 10, windowSeconds: HOUR },
  reset_request: { max: 3, windowSeconds: 15 * MINUTE },
  // Right ones too. Without it three codes a quarter of an hour, five tries each, would be 1,440 guesses a day.
  reset_guess: { max: 50, windowSeconds: DAY },
  reset_address: { max: 300, windowSeconds: 15 * MINUTE },
  feedback_address: { max: 60, windowSeconds: HOUR },
} as const;

export type RateLimit = keyof typeof RATE_LIMITS;
export type Counter = { count: number; windowEndsAt: number };

/** Names the counter of one subject under a limit. What is counted (an email, a number, an address) is not stored. */
export function rateSubject(config: Config, limit: RateLimit, subject: string): string {
  return `${limit}:${fingerprint(config.jwtSecret, `rate-limit:${limit}`, subject)}`;
}

/** Statement: counts one more happening and answers the count so far in the current window. */
export function countOne(db: Db, limit: RateLimit, subject: string, now: number) {
  const windowEndsAt = now + RATE_LIMITS[limit].windowSeconds * 1000;
  return db
    .insert(rateCounters)
    .values({ subject, count: 1, windowEndsAt })
    .onConflictDoUpdate({
      target: rateCounters.subject,
      set: {
        count: sql`case when ${rateCounters.windowEndsAt} <= ${now} then 1 else ${rateCounters.count} + 1 end`,
        windowEndsAt: sql`case when ${rateCounters.windowEndsAt} <= ${now} then ${windowEndsAt} else ${rateCounters.windowEndsAt} end`,
      },
    })
    .returning({ count: rateCounters.count, windowEndsAt: rateCounters.windowEndsAt });
}

/** SQL of a statement that counts one more happening if the condition holds, such as that the one before it wrote. */
export function countOneIf(limit: RateLimit, subject: string, now: number, condition: SQL): SQL {
  const windowEndsAt = now + RATE_LIMITS[limit].windowSeconds * 1000;
  return sql`
    insert into rate_counters (subject, count, window_ends_at)
    select ${subject}, 1, ${windowEndsAt} where ${condition}
    on conflict (subject) do update set
      count = case when window_ends_at <= ${now} then 1 else count + 1 end,
      window_ends_at = case when window_ends_at <= ${now} then ${windowEndsAt} else window_ends_at end`;
}

/** Condition: one more happening is within the limit. So of any number at once no more than the allowed ones are. */
export function hasRoom(limit: RateLimit, subject: string, areRateLimitsOn: boolean, now: number): SQL {
  return areRateLimitsOn
    ? sql`coalesce((select r.count from rate_counters r where r.subject = ${subject}
        and r.window_ends_at > ${now}), 0) < ${RATE_LIMITS[limit].max}`
    : sql`true`;
}

/** Statement: the count so far, without counting. */
export function peekCount(db: Db, subject: string, now: number) {
  return db
    .select({ count: rateCounters.count, windowEndsAt: rateCounters.windowEndsAt })
    .from(rateCounters)
    .where(sql`${rateCounters.subject} = ${subject} and ${rateCounters.windowEndsAt} > ${now}`);
}

/** Statement: forgets a subject, as after a right password. */
export function forgetCount(db: Db, subject: string) {
  return db.delete(rateCounters).where(sql`${rateCounters.subject} = ${subject}`);
}

/** @throws AppError too_many_requests when one more happening would be beyond the limit. */
export function assertRoom(config: Config, limit: RateLimit, counted: Counter | undefined, now: number): void {
  assertWithinLimit(config, limit, counted && { ...counted, count: counted.count + 1 }, now);
}

/**
 * @param counted the happenings counted, this one included.
 * @throws AppError too_many_requests, with the seconds until the window ends.
 */
export function assertWithinLimit(config: Config, limit: RateLimit, counted: Counter | undefined, now: number): void {
  if (!config.areRateLimitsOn || !counted || counted.count <= RATE_LIMITS[limit].max) return;
  throw new AppError('too_many_requests', {
    retryAfterSeconds: Math.max(1, Math.ceil((counted.windowEndsAt - now) / 1000)),
  });
}
