import type { StillLookingMessage } from '#contract/live-messages.ts';
import type { Db } from './db/client.ts';
import { idsOf } from './db/rows.ts';
import type { Env } from './env.ts';
import { newId } from './identity/ids.ts';
import { deliverNotices, keepQuestions, rememberUnread, reviseUnreadNotices } from './notices/index.ts';
import { isToBeAskedNow, listToAsk, markAsked, restStatements, selectToRest } from './posts/index.ts';

/** Asks a bounded number of authors whether they are still looking for what they posted some weeks ago. */
export async function askAuthors(env: Env, db: Db, now: number): Promise<void> {
  const posts = await listToAsk(db, now);
  if (posts.length === 0) return;
  const messages = posts.map(({ id, title }): StillLookingMessage => {
    return { type: 'still_looking', id: newId(), post_id: id, title, created_at: new Date(now).toISOString() };
  });
  // In one transaction, so that a crash never makes us ask twice.
  await db.batch([keepQuestions(db, messages, isToBeAskedNow(now), now), markAsked(db, idsOf(posts), now)]);
  await deliverNotices(env, db, idsOf(messages));
}

/** Lets a bounded number of posts rest that nobody has touched for a long time. */
export async function restPosts(env: Env, db: Db, now: number): Promise<void> {
  const posts = selectToRest(now);
  const [, withdrawn] = await db.batch([
    rememberUnread(db, posts),
    reviseUnreadNotices(db, posts),
    ...restStatements(db, posts, now),
  ]);
  await deliverNotices(env, db, idsOf(withdrawn));
}
