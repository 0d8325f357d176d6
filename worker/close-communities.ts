import { closeStatements, emptyStatements, listToClose } from './communities/index.ts';
import type { Db } from './db/client.ts';
import { idsOf } from './db/rows.ts';
import type { Env } from './env.ts';
import { errorName } from './errors/error-name.ts';
import { log } from './errors/log.ts';
import { deliverNotices, rememberUnread, reviseUnreadNotices } from './notices/index.ts';
import { restStatements, selectOpenIn } from './posts/index.ts';

const ROUNDS_MAX = 10;

/**
 * Closes communities that are due, a bounded part of each at a time: members are removed, and posts rest, visible only to
 * their authors. Every part can be interrupted and repeated: the next sweep continues with what is not closed yet.
 */
export async function closeCommunities(env: Env, db: Db, now: number): Promise<void> {
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const due = await listToClose(db, now);
    if (due.length === 0) return;
    for (const { id } of due) {
      try {
        await closeSome(env, db, id, now);
      } catch (error) {
        // One that fails must not keep the others from closing.
        log.warn('closing_failed', { name: errorName(error) });
      }
    }
  }
}

async function closeSome(env: Env, db: Db, id: string, now: number): Promise<void> {
  const posts = selectOpenIn(id);
  const [, withdrawn] = await db.batch([
    rememberUnread(db, posts),
    reviseUnreadNotices(db, posts),
    ...restStatements(db, posts, now),
    ...emptyStatements(db, id),
    ...closeStatements(db, id, posts, now),
  ]);
  await deliverNotices(env, db, idsOf(withdrawn));
}
