import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { DAY_MS } from '#contract/durations.ts';
import { POST_ASKED_AFTER_DAYS, POST_RESTS_AFTER_DAYS } from '#contract/limits.ts';
import type { Db } from '#worker/db/client.ts';
import { queryRows } from '#worker/db/rows.ts';
import { unmatchStatements } from './unmatch-store.ts';
import { isOpen, isOpenEvenHidden } from './visibility.ts';

// A post rests once the sweep has marked it. Lists, searches and matching read that mark, which can be indexed, and never
// compare with the clock.

/** Each one changes several rows in other tables. */
const POSTS_AT_ONCE = 100;

/** Expression on a post `p`: when it was created, last edited, or last confirmed as still open. */
const SINCE = sql.raw('(case when p.renewed_at is null then p.created_at else p.renewed_at end)');

const askedRow = () => z.object({ id: z.string(), title: z.string() });

/** Condition: the author of the post `p` should be asked whether they are still looking, having been asked `times` times. */
function isToBeAsked(times: number, days: number, now: number): SQL {
  return sql`(${isOpen('p')} and p.times_asked = ${times} and ${SINCE} <= ${now - days * DAY_MS})`;
}

/** Condition: as `isToBeAsked`, however often they have been asked. */
export function isToBeAskedNow(now: number): SQL {
  const each = POST_ASKED_AFTER_DAYS.map((days, times) => isToBeAsked(times, days, now));
  return sql`(${sql.join(each, sql` or `)})`;
}

/** Posts whose authors should be asked, longest waiting first. */
export function listToAsk(db: Db, now: number) {
  const each = POST_ASKED_AFTER_DAYS.map(
    (days, times) => sql`
      select * from (
        select p.id, p.title from posts p where ${isToBeAsked(times, days, now)} order by ${SINCE} limit ${POSTS_AT_ONCE})`,
  );
  return queryRows(db, askedRow)`${sql.join(each, sql` union all `)}`;
}

/**
 * Statement: marks the posts as asked, if they still should be. When several questions are overdue only the last is
 * asked.
 */
export function markAsked(db: Db, ids: string[], now: number) {
  const late = POST_ASKED_AFTER_DAYS.map((days) => sql`(${SINCE} <= ${now - days * DAY_MS})`);
  return db.run(sql`
    update posts as p set times_asked = ${sql.join(late, sql` + `)}
    where p.id in (select value from json_each(${JSON.stringify(ids)})) and ${isToBeAskedNow(now)}`);
}

/** For `in (…)`: a bounded number of posts that should rest. */
export function selectToRest(now: number): SQL {
  const asked = JSON.stringify([0, ...POST_ASKED_AFTER_DAYS.map((_days, times) => times + 1)]);
  return sql`
    select p.id from json_each(${asked}) t cross join posts p
    where ${isOpen('p')} and p.times_asked = t.value and ${SINCE} <= ${now - POST_RESTS_AFTER_DAYS * DAY_MS}
    limit ${POSTS_AT_ONCE}`;
}

/** For `in (…)`: a bounded number of a community's open posts, including hidden ones. */
export function selectOpenIn(communityId: string): SQL {
  return sql`
    select p.id from posts p indexed by posts_open
    where p.community_id = ${communityId} and ${isOpenEvenHidden('p')}
    order by p.posted_by, p.seq limit ${POSTS_AT_ONCE}`;
}

/** Statements: let posts rest, and exclude them from matching. */
export function restStatements(db: Db, posts: SQL, now: number) {
  const seqs = sql`select h.seq from posts h where h.id in (${posts})`;
  return [
    ...unmatchStatements(db, seqs),
    db.run(sql`update posts set away_since = ${now}, match_pending_since = null where id in (${posts})`),
  ] as const;
}
