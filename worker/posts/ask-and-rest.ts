import { type SQL, sql } from 'drizzle-orm';
import { DAY_MS } from '#contract/durations.ts';
import { POST_ASKED_AFTER_DAYS, POST_RESTS_AFTER_DAYS } from '#contract/limits.ts';
import type { StillLookingMessage } from '#contract/live-messages.ts';
import { isOpen } from '#worker/conditions/posts.ts';
import { batch, type Db } from '#worker/db/client.ts';
import { idsOf, queryRows, rowOf } from '#worker/db/statements.ts';
import { posts } from '#worker/db/tables/posts.ts';
import type { Env } from '#worker/env.ts';
import { newId } from '#worker/identity/digests.ts';
import { deliverNotices } from '#worker/notices/deliver-notices.ts';
import { keepQuestions } from '#worker/notices/keep-notice.ts';
import { POSTS_AT_ONCE, restPosts } from './post-states.ts';

/**
 * Asks authors, some weeks after they posted, whether they are still looking. One call asks a limited number of
 * authors.
 */
export async function askAuthors(env: Env, db: Db, now: number): Promise<void> {
  const posts = await listToAsk(db, now);
  if (posts.length === 0) return;
  const messages = posts.map(({ id, title }): StillLookingMessage => {
    return { type: 'still_looking', id: newId(), post_id: id, title, created_at: new Date(now).toISOString() };
  });
  // One transaction stores the questions and marks the posts, so that no author is asked twice after a crash.
  await batch(db, {
    keepQuestions: keepQuestions(db, messages, isToBeAskedNow(now), now),
    markAsked: markAsked(db, idsOf(posts), now),
  });
  await deliverNotices(env, db, idsOf(messages));
}

/**
 * Marks posts as resting if their authors have not edited or confirmed them for a long time. One call marks a limited
 * number of posts.
 */
export async function restUnansweredPosts(env: Env, db: Db, now: number): Promise<void> {
  const { withdrawn } = await batch(db, restPosts(db, selectToRest(now), now));
  await deliverNotices(env, db, idsOf(withdrawn));
}

/**
 * Expression on a post `p`: when its author created it, last edited it or last confirmed that they are still looking.
 */
const SINCE = sql.raw('(case when p.renewed_at is null then p.created_at else p.renewed_at end)');

/** Condition: the author of the post `p` was asked `times` times, and it is time for the next question. */
function isToBeAsked(times: number, days: number, now: number): SQL {
  return sql`(${isOpen('p')} and p.times_asked = ${times} and ${SINCE} <= ${now - days * DAY_MS})`;
}

/** Condition: it is time to ask the author of the post `p`, for the first or second time, if they are still looking. */
function isToBeAskedNow(now: number): SQL {
  const each = POST_ASKED_AFTER_DAYS.map((days, times) => isToBeAsked(times, days, now));
  return sql`(${sql.join(each, sql` or `)})`;
}

/**
 * Reads posts whose authors should now be asked "still looking?" for the first or second time. For each of the two
 * questions, the posts whose authors have been silent longest come first.
 */
function listToAsk(db: Db, now: number) {
  const each = POST_ASKED_AFTER_DAYS.map(
    (days, times) => sql`
      select * from (
        select p.id, p.title from posts p where ${isToBeAsked(times, days, now)} order by ${SINCE} limit ${POSTS_AT_ONCE})`,
  );
  return queryRows(db, rowOf(posts, 'id', 'title'))`${sql.join(each, sql` union all `)}`;
}

/**
 * Statement: records that the posts' authors were asked "still looking?". Skips posts whose question is no longer due.
 * If two questions about a post are overdue, both count as asked, but the author gets only one.
 */
function markAsked(db: Db, ids: string[], now: number) {
  const late = POST_ASKED_AFTER_DAYS.map((days) => sql`(${SINCE} <= ${now - days * DAY_MS})`);
  return db.run(sql`
    update posts as p set times_asked = ${sql.join(late, sql` + `)}
    where p.id in (select value from json_each(${JSON.stringify(ids)})) and ${isToBeAskedNow(now)}`);
}

/** Selects, for `in (…)`, a limited number of posts that should rest. */
function selectToRest(now: number): SQL {
  const asked = JSON.stringify([0, ...POST_ASKED_AFTER_DAYS.map((_days, times) => times + 1)]);
  return sql`
    select p.id from json_each(${asked}) t cross join posts p
    where ${isOpen('p')} and p.times_asked = t.value and ${SINCE} <= ${now - POST_RESTS_AFTER_DAYS * DAY_MS}
    limit ${POSTS_AT_ONCE}`;
}
